// The page /setup: what is plugged in, whose it is, how it does, and what may be added.

import { h } from "../dom.js";
import { signs } from "../keys.js";
import { colours, grey, palette, shape, shapeOf } from "../seats.js";
import { say } from "../words.js";
import { chip } from "./bar.js";
import { outline } from "./places.js";
import { sprite } from "./sprite.js";

const FIRST = 4; // seats that are shown of a table that has named none
const ORDERS = ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"];
const POWER = 500; // mA that a Raspberry Pi's own 5 V pins can give

const outlines = {
  reader: "M4 4h16v16H4zM8 9a5 5 0 0 1 8 0M9.500 12a3 3 0 0 1 5 0M12 15v.1",
  keyboard: "M3 8h5v8H3zM10 8h5v8h-5zM17 8h4v8h-4z",
  lights: "M2 12h20M4 9v6M8 9v6M12 9v6M16 9v6M20 9v6",
  panel: "M5 3h14v18H5zM8 8h8M8 12h8M8 16h5",
};
outlines.typist = outlines.adapter = outlines.reader;

const owned = ["reader", "typist", "keyboard"], ranks = { failed: 0, degraded: 1, ok: 2 };

// wiring draws the page.
export function wiring(state) {
  const w = state.wiring;
  if (state.barred === 404) return demo();
  return [
    state.lost && h("p", { class: "note bad", role: "alert", "data-k": "lost" }, say("page.away")),
    state.barred ? h("div", { class: "box empty", "data-k": "barred" },
      h("h1", null, say("setup.title")), h("p", null, say("setup.owner")),
      h("a", { class: "b", href: "/" }, say("setup.to-table"))) : w && parts(state, w),
  ];
}

function parts(state, w) {
  const all = w.parts.toSorted((a, b) => ranks[a.health] - ranks[b.health]);
  const has = kind => all.some(p => p.kind === kind);
  return [
    h("div", { class: "head", "data-k": "head" },
      h("div", null, h("h1", null, headline(all)), h("p", { class: "sub" }, say("setup.lead"))),
      w.open ? order("done", {}, say("setup.enough")) :
        all.length > 0 && order("everything", {}, say("setup.test-all")),
      h("a", { class: "b main", href: "#add" }, say("setup.add"))),
    news(state, w),
    w.troubles.map(t => h("p", { class: "note bad", "data-k": "trouble " + t }, t)),
    w.open && h("p", { class: "sub", "data-k": "open" }, say(all.some(mayBeOwned) ? "setup.found-some" : "setup.open")),
    h("ul", { class: "parts", "data-k": "parts" }, all.map(p => part(state, w, p))),
    h("h2", { id: "add", "data-k": "add" }, say("setup.add")),
    h("div", { class: "parts adds", "data-k": "adds" },
      w.found.map(found),
      h("section", { class: "box", "data-k": "whose" },
        h("h3", null, icon("reader"), say("setup.whose")), h("p", null, say("setup.whose-how")), seats(state, w)),
      !has("panel") && panelForm(w),
      !has("lights") && stripForms(w),
      h("section", { class: "box", "data-k": "keys" },
        h("h3", null, icon("keyboard"), say("setup.keys")), h("p", null, say("setup.keys-how")),
        h("div", { class: "line" }, [...Object.keys(signs), "roll", "redo"].map(k =>
          order("teach", { key: k }, say("key." + k), { class: "chip" }))))),
  ];
}

const mayBeOwned = p => owned.includes(p.kind);

function headline(all) {
  const named = say("setup.numbers").split(" "), word = n => named[n] ?? n;
  const silent = all.filter(p => p.health === "failed").length, ill = all.filter(p => p.health === "degraded").length;
  if (!all.length) return say("setup.nothing");
  const n = silent || ill, counts = { all: word(all.length), total: all.length, n, some: word(n) };
  const text = silent ? say("setup.silent", counts) : ill ? say("setup.ill", counts) : say("setup.well", counts);
  return text[0].toUpperCase() + text.slice(1);
}

// news draws the question that waits, or else what became of the last one.
function news({ wired, live }, w) {
  const learnt = wired.key && w.receipt?.n > wired.receipt;
  let text = "", bad = false;
  if (w.asked) text = w.asked.seat ? say("setup.ask", { seat: name(live, w, w.asked.seat) }) : say("setup.ask-any");
  else if (wired.trouble && wired.answer === (w.answer?.n ?? 0)) [text, bad] = [wired.trouble, true];
  else if (wired.key) text = learnt ? w.receipt.text : say("setup.press", { key: say("key." + wired.key) });
  else if (w.answer) [text, bad] = [w.answer.text, !w.answer.ok];
  return h("div", { class: "news", role: "status", "data-k": "news" },
    text && h("p", { class: "note" + (w.asked || wired.key && !learnt ? " asks" : bad ? " bad" : ""), "data-k": text },
      h("span", null, text, w.asked?.text && h("small", null, w.asked.text)),
      w.asked && order("stop", {}, say("setup.cancel"))));
}

const order = (act, data, text, attributes) =>
  h("form", { "data-act": act, ...Object.fromEntries(Object.entries(data).map(([k, v]) => ["data-" + k, v])) },
    h("button", { type: "submit", class: "b", ...attributes }, text));

const name = (live, w, seat) => w.seats.find(s => s.seat === seat)?.name ||
  live?.view.seats.find(s => s.id === seat)?.name || (colours[seat] || seat === "table" ? say("seat." + seat) : seat);

const icon = kind => outline(outlines[kind] ?? chip);

const heading = (level, kind, title, small, ...health) => h("div", { class: "what" },
  icon(kind), h(level, null, title, h("small", null, small)), h("span", { class: "health " + health[0] }, health[1]));

// seats lets somebody choose whose a new part will be.
function seats({ live }, w) {
  const chip = seat => h("li", { "data-k": "seat-" + seat },
    order("ask", { seat }, [shape(shapeOf(seat)), name(live, w, seat)],
      { class: "chip", style: paletteOf(seat), "aria-pressed": String(w.asked?.seat === seat) }));
  const all = w.seats.map(s => s.seat), usual = usualOf(w);
  return [
    h("ul", { class: "line" }, ["table", ...usual].map(chip)),
    all.length > usual.length && h("details", null, h("summary", null, say("setup.more")),
      h("ul", { class: "line" }, all.filter(s => !usual.includes(s)).map(chip))),
  ];
}

const paletteOf = seat => palette(colours[seat] ?? grey);

// usualOf lists the seats of a table, or the first ones if it has not named its own.
const usualOf = w => w.seats.filter((s, i) => i < FIRST || s.name || w.seats.length <= 6 ||
  w.parts.some(p => p.seat === s.seat)).map(s => s.seat);

// part draws a part with its health. It lights up when it reads something.
function part(state, w, p) {
  const like = w.parts.filter(o => o.kind === p.kind);
  const title = say("setup.kind-" + p.kind) + (like.length > 1 ? " " + (like.indexOf(p) + 1) : "");
  const act = (name, data, text) =>
    order(name, data, text, { "aria-label": say("setup.colon", { a: title, b: text }) });
  return h("li", { class: "box part", "data-k": p.part, "data-part": p.part, "data-seat": p.seat },
    heading("h2", p.kind, title, short(p), p.health,
      p.health === "failed" ? say("setup.mute") : say("health." + p.health)),
    mayBeOwned(p) && h("div", { class: "whose", role: "group", "aria-label": say("setup.of") },
      h("span", null, say("setup.of")),
      ["table", ...usualOf(w)].map(seat => whose(state, w, p, seat))),
    h("p", { class: p.reason ? "why" : p.reads > 0 && "reads", "data-k": p.reason ?? "reads " + p.reads }, sentence(p)),
    h("div", { class: "line" },
      p.kind === "panel" || p.kind === "lights" ? act("test", { part: p.part }, say("setup.try"))
        : mayBeOwned(p) && act("ask", { seat: "" }, say("setup.try")),
      p.written ? h("small", null, say("setup.written")) : act("remove", { part: p.part }, say("setup.remove"))));
}

const whose = ({ live }, w, p, seat) => order("give", { part: p.part, seat, k: seat }, shape(shapeOf(seat)), {
  class: null, style: paletteOf(seat), "aria-label": name(live, w, seat), title: name(live, w, seat),
  disabled: p.written, "aria-pressed": String(p.seat === seat),
});

function sentence(p) {
  if (p.reason) return p.reason;
  if (!p.reads) return mayBeOwned(p) ? say("setup.unread") : say("setup.shows");
  const key = p.key && ([...Object.keys(signs), "roll", "redo"].includes(p.key) ? say("key." + p.key) : p.key);
  const last = { key, name: p.card, ago: ago(p.ago ?? 0) };
  return key ? say("setup.last-key", last) : say(p.card ? "setup.last-named" : "setup.last-card", last);
}

function ago(seconds) {
  const written = (n, unit) =>
    new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" }).format(-n, unit);
  if (seconds < 60) return written(seconds < 10 ? 0 : Math.floor(seconds / 10) * 10, "second");
  return seconds < 3600 ? written(Math.floor(seconds / 60), "minute") : written(Math.floor(seconds / 3600), "hour");
}

// short returns the name of a device file, and what udev calls a keyboard without what
// all have in common.
const short = p => (p.device || p.part).split("/").at(-1)
  .replace(/^(usb|bluetooth)-(.*)-event-\w+$/, "$2").replaceAll("_", " ");

function found(f) {
  const use = say(f.kind === "adapter" ? "setup.probe" : "setup.use");
  return h("section", { class: "box", "data-k": f.id },
    heading("h3", f.kind, say("setup.kind-" + f.kind), f.name, "none", say("setup.plugged")),
    f.kind === "keyboard" ? h("p", null, say("setup.press-below"))
      : order("use", { found: f.id }, use, { "aria-label": say("setup.colon", { a: use, b: f.name }) }));
}

// panelForm asks for what nothing tells by itself: which panel is on the header.
const panelForm = ({ panels }) => form("panel", say("setup.panel"), say("setup.panel-how"),
  choice("model", say("setup.model"), panels.map(p => [p, p])),
  h("label", { class: "check" }, h("input", { type: "checkbox", name: "power" }), h("span", null, say("setup.power"))));

// stripForms ask for a strip on the header, or on a WLED.
const stripForms = ({ strips }) => [
  form("lights", say("setup.strip"), say("setup.strip-how"),
    choice("chip", say("setup.strip-kind"), strips.map(s => [s, s.toUpperCase()])),
    number("count", say("setup.leds"), 1, 1000, 60),
    number("limit", say("setup.limit"), 0, 60000, POWER),
    choice("order", say("setup.order"), [["", say("setup.order-usual")], ...ORDERS.map(o => [o, o])])),
  form("lights", say("setup.wled-strip"), "",
    h("input", { type: "hidden", name: "chip", value: "wled" }),
    h("label", { class: "wide" }, h("span", null, say("setup.wled")),
      h("input", { name: "host", class: "field", required: true, placeholder: "wled.local", autocomplete: "off" })),
    number("count", say("setup.leds"), 1, 1000, 60)),
];

const form = (act, title, how, ...fields) => h("form", { class: "box output", "data-act": act, "data-k": title },
  h("h3", null, title), how && h("p", null, how), fields,
  h("button", { type: "submit", class: "b", "aria-label": say("setup.colon", { a: title, b: say("setup.use") }) },
    say("setup.use")));

const choice = (name, label, values) => h("label", { class: name === "model" && "wide" }, h("span", null, label),
  h("select", { name, class: "field" }, values.map(([value, text]) => h("option", { value }, text))));

const number = (name, label, min, max, value) => h("label", null, h("span", null, label),
  h("input", { name, class: "field", type: "number", min, max, required: true, value }));

// demo says what stands in for the parts, and what this page does at a real table.
const demo = () => [
  h("div", { class: "head", "data-k": "head" }, h("div", null,
    h("h1", null, say("setup.simulated")), h("p", { class: "sub" }, say("setup.simulated-how")))),
  h("ul", { class: "parts", "data-k": "parts" }, ["reader", "keyboard", "lights"].map(kind =>
    h("li", { class: "box", "data-k": kind },
      heading("h2", kind, say("setup.demo-" + kind), say("setup.demo-how-" + kind), "none", say("setup.stand-in"))))),
  h("section", { class: "box real", "data-k": "real" },
    h("div", { class: "fan", "aria-hidden": "true" }, ["zombie", "", "anubis"].map((card, i) =>
      h("i", { "data-k": i }, card && sprite(card)))),
    h("div", null, h("h2", null, say("setup.real")), h("p", { class: "sub" }, say("setup.none"))),
    h("a", { class: "b", href: "/" }, say("setup.to-table"))),
];
