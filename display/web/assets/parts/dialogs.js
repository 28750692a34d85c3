// The dialogs: menu, help, matches, renaming, health, texts of cards, teaching a
// tag and others.

import { button, h } from "../dom.js";
import { strokes } from "../keys.js";
import { palette, paletteOf, seatName, shape, shapeOf, shapesOf } from "../seats.js";
import { acting, handOf, keeps, mine, plays, question, refusal } from "../store.js";
import { label, languages, say } from "../words.js";
import { seats } from "./arena.js";
import { answering, notNow, whole } from "./card.js";
import { form } from "./first.js";
import { lesson } from "./lesson.js";
import { back, cardForm, moves, number } from "./mend.js";
import { codes, entries, signals } from "./signals.js";

// titled returns the title of the open dialog and its content.
export function titled(state) {
  const { name } = state.dialog, [title, ...inside] = pages[name](state);
  return [title, [
    h("header", { "data-k": "head" }, h("h2", null, title),
      button("close", { class: "round", "data-close": "", "aria-label": say("page.close") }, "✕")),
    h("div", { class: "page", "data-k": name }, inside)]];
}

const pages = {
  menu: state => [say("menu.title"), menu(state), languageRow(state), themeRow(state)],
  notices: ({ live: { view: v } }) => [say("bar.stand-in"), v.notices.map(n => h("p", null, label(v, "notice", n)))],
  begin: state => [say("menu.other"), form(state)],
  abandon: () => [say("menu.abandon"), h("p", null, say("menu.abandon-sure")),
    h("div", { class: "answers" },
      button("order", { class: "answer danger", "data-do": "abandon" }, say("menu.abandon")),
      button("close", { class: "answer", "data-close": "", autofocus: true }, say("page.close")))],
  end: ({ live }) => [say("end.title"), h("p", null, say("end.sure")),
    h("div", { class: "answers" },
      button("input", { class: "answer danger", "data-input": "table choose end", disabled: !live.writes },
        say("end.title")),
      button("close", { class: "answer", "data-close": "", autofocus: true }, say("page.close")))],
  matches: state => [say("menu.matches"), matches(state)],
  codes, signals,
  join: ({ live }) => [say("menu.join"), h("p", null, say("join.how")),
    h("img", { class: "code", src: "/join.png" + (live.rights.seat ? "?seat=" + mine() : ""), alt: say("join.code") }),
    h("p", { class: "address" }, live.status.address),
    live.trust && h("p", null, h("a", { href: "/trust" }, say("join.warned")))],
  health: ({ live, lang }) => [say("menu.health"), health(live.status.health, lang)],
  help: state => [say("help.title"), ...help(state)],
  rename: state => [say("seat.rename"), rename(state)],
  board: state => [say("board.title"), h("div", { class: "table" }, seats()), foot(state.live.view)],
  cards,
  cardForm,
  number,
  back,
  learn: lesson,
  line: () => [say("menu.line"), h("p", null, say("line.how")),
    h("form", { "data-act": "line", "data-line": "", method: "dialog", class: "rename" },
      h("input", {
        name: "line", required: true, autofocus: true, autocomplete: "off", autocapitalize: "off",
        spellcheck: "false", placeholder: acting() + " set score 7", "aria-label": say("menu.line"),
      }),
      ok())],
};

// foot repeats the question below the board.
function foot(v) {
  const p = question(v), known = p && v.seats.some(s => s.id === p.seat);
  return p && h("footer", { style: paletteOf(v, p.seat) },
    h("b", null, known && shape(shapesOf(v)[p.seat]), known ? seatName(v, p.seat) : say("page.everybody")),
    h("span", null, p.text));
}

const ok = () => h("button", { type: "submit", class: "answer" }, say("page.ok"));

function menu({ live, lang, narrow }) {
  const { view: v, status, writes } = live, over = v.winners.length > 0, playing = v.match !== null && !over;
  const no = refusal(), insists = no?.override && plays(no.seat || "table");
  const item = (act, text, attributes) => button(act, { class: "plain", ...attributes }, text);
  const opens = (name, text, attributes) => item("open", text, { "data-open": name, ...attributes });
  const page = (href, text) => h("a", { class: "plain", href }, text);
  const group = (title, ...items) => items.some(Boolean) && h("section", { "data-k": title },
    h("h3", null, title), h("div", { class: "list" }, items));
  return [
    group(say("menu.match"),
      insists && item("press", say("receipt.insist"), { "data-press": "yes", "data-seat": no.seat || "table" }),
      v.match !== null && narrow && item("sheet", say("history.title"), { "data-sheet": "log" }),
      over && writes && item("order", say("menu.rematch"), { "data-do": "rematch" }),
      keeps() && v.match !== null && opens("begin", say("menu.other")),
      v.notices.length > 0 && narrow && opens("notices", say("bar.stand-in")),
      writes && opens("line", say("menu.line")),
      playing && keeps() && opens("abandon", say("menu.abandon"), { class: "plain danger" })),
    group(say("menu.table"),
      status.address && opens("join", say("menu.join")),
      entries(live),
      writes && page("/reader" + (mine() ? "?seat=" + mine() : ""), say("menu.reader")),
      writes && status.hall && !status.called && item("order", say("call.judge"), { "data-do": "call" }),
      opens("health", say("menu.health")),
      keeps() && !status.simulated && page("/setup", say("menu.setup"))),
    group(say("menu.pages"),
      opens("matches", say("menu.matches")),
      page("/cards?lang=" + lang, say("menu.cards")),
      page("/overlay/edit", say("menu.overlay")),
      opens("help", say("help.title")))];
}

const languageRow = state => h("div", { class: "rowed" }, h("span", null, say("page.language")),
  h("span", { class: "switch", role: "group" }, languages.map(l =>
    button("choose", { "data-lang": l, lang: l, "aria-pressed": String(l === state.lang) }, say("lang." + l)))));

const themeRow = state => h("div", { class: "rowed" }, h("span", null, say("menu.theme")),
  h("span", { class: "switch", role: "group" }, ["", "light", "dark"].map(t =>
    button("theme", { "data-theme-set": t, "aria-pressed": String(t === state.theme) },
      say("theme." + (t || "auto"))))));

function matches(state) {
  if (!state.matches) return h("p", { class: "none" }, say("begin.loading"));
  if (!state.matches.length) return h("p", { class: "none" }, say("matches.none"));
  return [
    h("a", { class: "plain", href: "/history" }, say("matches.history")),
    h("ul", { class: "matches" }, state.matches.map(m => match(state, m))),
  ];
}

function match({ live, games, lang }, m) {
  const title = games?.find(g => g.name === m.game)?.title ?? m.game;
  const when = new Date(m.begin).toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
  const open = m.state === "unfinished" || m.state === "playing";
  const player = p => h("span", { class: "player" + ((m.winners ?? []).includes(p.seat) ? " winner" : "") },
    shape(shapeOf(p.seat)), p.name || say("seat." + p.seat),
    m.score?.[p.seat] !== undefined && h("b", { title: m.label }, m.score[p.seat]));
  return h("li", { "data-k": m.id },
    h("div", null,
      h("b", null, title), h("span", null, when),
      h("span", { class: "who" }, m.seats.map(player)),
      h("em", { class: m.state }, say("matches." + m.state), m.reason ? " · " + m.reason : "")),
    h("div", { class: "do" },
      open && m.id !== live.view.match && keeps() && button("order",
        { class: "plain", "data-do": "resume", "data-match": m.id }, say("menu.resume")),
      h("a", { href: "/matches/" + encodeURIComponent(m.id) }, say("matches.replay")),
      h("a", { href: "/api/journal?match=" + encodeURIComponent(m.id), target: "_blank" }, say("matches.journal"))));
}

function health(parts, lang) {
  if (!parts.length) return h("p", { class: "none" }, say("health.none"));
  return h("ul", { class: "health" }, parts.map(p => h("li", { class: p.health, "data-k": p.part },
    h("i", { "aria-hidden": "true" }, p.health === "ok" ? "✓" : "!"),
    h("div", null,
      h("b", null, p.part), h("span", null, say("health." + p.health) + (p.reason ? " · " + p.reason : "")),
      figures(p, lang)))));
}

// figures draws the numbers that a part reports, for the builder of the table.
function figures(p, lang) {
  const time = p.last_good && new Date(p.last_good).toLocaleTimeString(lang);
  const said = [p.firmware,
    time && say("health.good", { time }),
    p.error_rate > 0 && say("health.errors", { n: Math.max(1, Math.round(p.error_rate * 100)) }),
    p.resets && say("health.resets", { n: p.resets })].filter(Boolean);
  return said.length ? h("small", null, said.join(" · ")) : null;
}

function help({ live, shortcuts }) {
  const kbd = text => h("kbd", null, text);
  const row = (keys, text) => h("div", null, h("dt", null, keys), h("dd", null, text));
  return [
    h("p", null, say("help.how")),
    h("dl", { class: "strokes" },
      strokes.map(([stroke, key]) => row(kbd(stroke), say("key." + key))),
      row([kbd("1"), "–", kbd("9")], say("help.answers")),
      row(kbd("?"), say("help.this"))),
    live.status.simulated && h("p", null, say("help.cards")),
    h("label", { class: "check" },
      h("input", { type: "checkbox", "data-act": "shortcuts", "data-shortcuts": "", checked: shortcuts }),
      say("help.on"))];
}

function rename({ live: { view: v }, dialog: { seat } }) {
  const s = v.seats.find(s => s.id === seat), style = palette(s?.colour ?? "#888888");
  return h("form", { "data-act": "rename", "data-rename": seat, method: "dialog", class: "rename", style },
    shape(shapesOf(v)[seat]),
    h("input", {
      name: "name", value: s?.name ?? "", maxlength: 24, required: true, autofocus: true, autocomplete: "off",
      "aria-label": say("begin.name", { seat: say("seat." + seat) }),
    }),
    ok());
}

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
