import { button, h } from "../dom.js";
import { strokes } from "../keys.js";
import { colours, palette, paletteOf, seatName, shape, shapeOf, shapesOf } from "../seats.js";
import {
  acting, chosenGame, handOf, hasCards, hints, isCounting, keeps, mine, plays, question, refusal, seatsFor,
} from "../store.js";
import { label, languages, local, say } from "../words.js";
import { seats } from "./arena.js";
import { answering, notNow, whole } from "./card.js";
import { deal } from "./deal.js";
import { check, form } from "./first.js";
import { lesson } from "./lesson.js";
import { places, sign } from "./places.js";
import { number } from "./tally.js";

export function titled(state) {
  const { name } = state.dialog, [title, ...inside] = pages[name](state);
  return [title, [
    h("header", { "data-k": "head", role: state.dialog.beside ? "none" : null }, h("h2", null, title),
      button("close", { class: "round", "data-close": "", "aria-label": say("page.close") }, "✕")),
    h("div", { class: "page", "data-k": name }, inside)]];
}

const pages = {
  menu: state => [say("menu.title"), menu(state), choice(say("page.language"), languages.map(l =>
    button("choose", { "data-lang": l, lang: l, "aria-pressed": String(l === state.lang) }, say("lang." + l)))),
  choice(say("menu.theme"), ["", "light", "dark"].map(t => button("theme", {
    "data-theme-set": t, "aria-pressed": String(t === state.theme),
  }, say("theme." + (t || "auto")))))],
  notices: ({ live: { view: v } }) => [say("bar.stand-in"), v.notices.map(n => h("p", null, label(v, "notice", n)))],
  begin: state => [say("menu.other"), form(state)],
  abandon: () => sure(say("menu.abandon"), say("menu.abandon-sure"), "order", { "data-do": "abandon" }),
  end: ({ live }) => sure(say("end.title"), say("end.sure"), "input",
    { "data-input": "table choose end", disabled: !live.writes }),
  back, codes, signals, help, rename, cards, cardForm, number, deal,
  learn: lesson,
  join: ({ live }) => [say("menu.join"), h("p", null, say("join.how")),
    h("img", { class: "code", src: "/join.png" + (live.rights.seat ? "?seat=" + mine() : ""), alt: say("join.code") }),
    h("p", { class: "address" }, live.status.address),
    live.trust && h("p", null, h("a", { href: "/trust" }, say("join.warned")))],
  health: ({ live, lang }) => [say("menu.health"), health(live.status.health, lang)],
  board: state => [say("board.title"), h("div", { class: "table" }, seats()), foot(state.live.view)],
  line: () => [say("menu.line"), h("p", null, say("line.how")),
    asking({ "data-act": "line", "data-line": "" }, {
      name: "line", autocapitalize: "off", spellcheck: "false", placeholder: acting() + " set score 7",
      "aria-label": say("menu.line"),
    })],
};

const choice = (title, buttons) => h("div", { class: "rowed" }, h("span", null, title),
  h("span", { class: "switch", role: "group" }, buttons));

// sure asks whether to do what cannot be taken back.
const sure = (title, text, act, args, verb = title) => [title, h("p", null, text),
  h("div", { class: "answers" },
    button(act, { class: "answer danger", ...args }, verb),
    button("close", { class: "answer", "data-close": "", autofocus: true }, say("page.keep-on")))];

function back({ live, dialog }) {
  const e = live.history.find(e => e.n === dialog.entry), n = e?.back ?? 0;
  return sure(say("mend.back"), (e?.lines ?? []).join(". "), "undoTo", { disabled: !n }, say("mend.back-do", { n }));
}

const asking = (attributes, field, before) => h("form", { method: "dialog", class: "rename", ...attributes }, before,
  h("input", { required: true, autofocus: true, autocomplete: "off", ...field }),
  h("button", { type: "submit", class: "answer" }, say("page.ok")));

function rename({ live: { view: v }, dialog: { seat } }) {
  const s = v.seats.find(s => s.id === seat), left = s?.state?.includes("out");
  const leaves = isCounting(v) && v.match !== null && v.seats.length > 1;
  return [say("seat.rename"), asking({
    "data-act": "rename", "data-rename": seat, style: palette(s?.colour ?? "#888888"),
  }, {
    name: "name", value: s?.name ?? "", maxlength: 24, "aria-label": say("begin.name", { seat: say("seat." + seat) }),
  }, shape(shapesOf(v)[seat])),
  leaves && button("input", {
    class: "answer", "data-k": "leaves", "data-input": `${seat} set out ${left ? "no" : "yes"}`,
  }, say(left ? "seat.back" : "seat.leaves"))];
}

function foot(v) {
  const p = question(v), known = p && v.seats.some(s => s.id === p.seat);
  return p && h("footer", { style: paletteOf(v, p.seat) },
    h("b", null, known && shape(shapesOf(v)[p.seat]), known ? seatName(v, p.seat) : say("page.everybody")),
    h("span", null, p.text));
}

function menu({ live, narrow, settings }) {
  const { view: v, status, writes, rights } = live, over = v.winners.length > 0, playing = v.match !== null && !over;
  const no = refusal(), insists = no?.override && plays(no.seat || "table");
  const item = (act, text, attributes) => button(act, { class: "plain", ...attributes }, text);
  const opens = (name, text, attributes) => item("open", text, { "data-open": name, ...attributes });
  const tile = ([name, href]) => h("a", { class: "plain", href, "data-k": name }, sign(name), say("shell." + name));
  const group = (title, ...items) => items.some(Boolean) && h("section", { "data-k": title },
    h("h3", null, title), h("div", { class: "list" }, items));
  return [
    h("nav", { class: "tiles", "aria-label": say("menu.pages") }, places.map(tile)),
    group(say("menu.match"),
      insists && item("press", say("receipt.insist"), { "data-press": "yes", "data-seat": no.seat || "table" }),
      v.match !== null && narrow && item("sheet", say("history.title"), { "data-sheet": "log" }),
      hints() && narrow && item("hint", say("hint.title"), { "data-seat": question().seat }),
      playing && hasCards() && item("odds", say(settings.chances ? "chances.hide" : "chances.title")),
      over && writes && item("order", say("menu.rematch"), { "data-do": "rematch" }),
      keeps() && v.match !== null && opens("begin", say("menu.other")),
      keeps() && !playing && h("a", { class: "plain", href: "/history" }, say("menu.matches")),
      v.notices.length > 0 && narrow && opens("notices", say("bar.stand-in")),
      writes && opens("line", say("menu.line")),
      playing && keeps() && opens("abandon", say("menu.abandon"), { class: "plain danger" })),
    group(say("menu.table"),
      status.address && opens("join", say("menu.join")),
      status.address && !rights.seat && opens("codes", say("codes.title")), // for those who may show all
      opens("signals", say("signals.title")),
      writes && h("a", { class: "plain", href: "/reader" + (mine() ? "?seat=" + mine() : "") }, say("menu.reader")),
      writes && status.hall && !status.called && item("order", say("call.judge"), { "data-do": "call" }),
      opens("health", say("menu.health")),
      opens("help", say("help.title"), { class: "plain flat" }))];
}

function health(parts, lang) {
  if (!parts.length) return h("p", { class: "none" }, say("health.none"));
  return h("ul", { class: "health" }, parts.map(p => h("li", { class: p.health, "data-k": p.part },
    h("i", { "aria-hidden": "true" }, p.health === "ok" ? "✓" : "!"),
    h("div", null,
      h("b", null, p.part), h("span", null, say("health." + p.health) + (p.reason ? " · " + p.reason : "")),
      figures(p, lang)))));
}

function figures(p, lang) {
  const time = p.last_good && new Date(p.last_good).toLocaleTimeString(local(lang));
  const said = [p.firmware,
    time && say("health.good", { time }),
    p.error_rate > 0 && say("health.errors", { n: Math.max(1, Math.round(p.error_rate * 100)) }),
    p.resets && say("health.resets", { n: p.resets })].filter(Boolean);
  return said.length ? h("small", null, said.join(" · ")) : null;
}

function help({ live, settings }) {
  const kbd = text => h("kbd", null, text);
  const row = (keys, text) => h("div", null, h("dt", null, keys), h("dd", null, text));
  return [say("help.title"),
    h("p", null, say("help.how")),
    h("dl", { class: "strokes" },
      strokes.map(([stroke, key]) => row(kbd(stroke), say("key." + key))),
      row([kbd("1"), "–", kbd("9")], say("help.answers")),
      row(kbd("H"), say("hint.title")), row(kbd("P"), say("computer.now")),
      row(kbd("?"), say("help.this"))),
    live.status.simulated && h("p", null, say("help.cards")),
    check(settings, "shortcuts", say("help.on"))];
}

// signals draws the switches. Tones and vibration come when the own seat is asked.
function signals({ live, settings }) {
  const seat = mine(), { clock } = live.view; // it calls on pages of the whole table, too
  const names = [seat || clock ? ["vibrate", "sound"] : [], seat ? "awake" : [], "speech"].flat();
  return [say("signals.title"),
    seat && h("p", null, say("signals.how")),
    h("div", { class: "signals" },
      names.map(name => check(settings, name, say("signals." + name))),
      h("label", { class: "check" }, h("span", null, say("signals.volume")), h("input", {
        type: "range", "data-act": "setting", "data-setting": "volume", min: 0, max: 1, step: .1,
        value: settings.volume,
      })))];
}

function codes({ live: { view: v }, plan }) {
  const game = chosenGame(), playing = v.match !== null, shapes = playing ? shapesOf(v) : {};
  const seats = playing ? v.seats : (game ? seatsFor(game) : plan.seats)
    .map(id => ({ id, name: plan.names[id], colour: colours[id] }));
  return [say("codes.title"), h("p", null, say("codes.how")),
    h("ul", { class: "codes" }, seats.map(s => code(s, shapes[s.id] ?? shapeOf(s.id), s.name || seatName(v, s.id))))];
}

const code = (seat, sign, name) => h("li", { "data-k": seat.id, style: palette(seat.colour) },
  h("b", null, shape(sign), h("span", null, name)),
  h("img", { src: "/join.png?seat=" + encodeURIComponent(seat.id), alt: say("codes.code", { name }) }));

// cards draws a card at full size: why it does not answer or a button with which it does, and
// where it may be moved.
function cards(state) {
  const { live, dialog: { shown, place, card, why } } = state, name = shown?.name ?? say("card.back");
  const answers = answering(live, place, card), may = live.writes && answers["data-legal"] === "yes";
  return [name,
    shown && whole(live.view, shown), notNow(why),
    h("div", { class: "answers", "data-k": "do" },
      may && h("button", { type: "button", class: "a primary", ...answers }, say("card.choose", { name })),
      !answers["data-legal"] && live.writes && place === handOf(acting()) && button("pick", {
        class: "a", "data-pick-of": place, "data-tap": card,
      }, say("card.pick")),
      button("close", { class: "a", "data-close": "" }, say("page.close"))),
    moves(state)];
}

function moves({ live: { view: v }, dialog }) {
  const word = place => v.labels?.["zone." + place] ?? label(v, "counter", place);
  const text = m => [
    m.seat !== dialog.owner && seatName(v, m.seat), word(m.place), m.state && label(v, "state", m.state),
  ].filter(Boolean).join(" · ");
  return dialog.moves?.length > 0 && h("details", { class: "moves", "data-k": "moves" },
    h("summary", { class: "a" }, say("mend.move")),
    h("div", { class: "list" }, dialog.moves.map(m =>
      button("input", { class: "plain", "data-k": m.line, "data-input": m.line }, text(m)))));
}

function cardForm({ lang, dialog }) {
  const { form, values, trouble } = dialog, kind = values.kind?.[0];
  const has = f => (!f.only || f.only.includes(kind)) && (f.field === lang || !isTitle(f));
  return [form.name, h("form", { "data-act": "sendForm", method: "dialog", class: "cardform" },
    h("p", null, say("form.how")),
    form.fields.filter(has).map((f, i) => f.words ? words(f, values[f.field] ?? [], i === 0) :
      typed(f, values[f.field] ?? "")),
    trouble && h("p", { class: "trouble", role: "alert" }, trouble),
    h("button", { type: "submit", class: "answer" }, say("page.ok")))];
}

const isTitle = f => f.field === "en" || f.field === "fr";

function words(f, chosen, first) {
  const count = w => chosen.filter(c => c === w.word).length;
  return h("fieldset", { "data-k": f.field },
    h("legend", null, f.text),
    f.words.map((w, i) => button("formWord", {
      class: "plain", "data-k": w.word, "data-field": f.field, "data-word": w.word, autofocus: first && i === 0,
      "aria-pressed": String(count(w) > 0),
    }, w.text, count(w) > 1 && " ×" + count(w))));
}

// typed draws a field of text. Beside that of an ability a button says that the card
// has none.
function typed(f, value) {
  const none = f.none && value === "none", path = "dialog.values." + f.field;
  return h("div", { class: "typed", "data-k": f.field },
    h("label", null,
      h("span", null, isTitle(f) ? say("form.title") : f.text),
      h("input", {
        name: f.field, value: none ? "" : value, "data-act": "keep", "data-keep": path, "data-planned": "",
        autocomplete: "off", spellcheck: "false", maxlength: isTitle(f) ? 40 : 400,
      })),
    f.none && button("keep", {
      class: "plain", "data-keep": path, "data-value": none ? "" : "none", "aria-pressed": String(none),
    }, say("form.none")));
}
