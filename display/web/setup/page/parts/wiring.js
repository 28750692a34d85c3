// The page /setup: whose readers and keys are whose, what is plugged in, how the parts do.

import { h } from "../dom.js";
import { signs } from "../keys.js";
import { colours, palette, shape, shapeOf } from "../seats.js";
import { say } from "../words.js";
import { panelForm, stripForms } from "./outputs.js";

const FIRST = 4; // seats that are shown before anybody asks for more

// wiring draws the page.
export function wiring(state) {
  const w = state.wiring;
  return [
    h("header", { "data-k": "head" },
      h("h1", null, say("setup.title")),
      h("a", { href: "/" }, say("setup.table"))),
    state.lost && h("p", { class: "note bad", role: "alert", "data-k": "lost" }, say("page.away")),
    state.barred ? h("p", { class: "note bad", "data-k": "barred" },
      state.barred === 404 ? say("setup.none") : say("setup.owner")) : w && parts(state, w),
  ];
}

function parts(state, w) {
  const whose = p => p.kind === "reader" || p.kind === "typist" || p.kind === "keyboard";
  const owned = id => w.parts.filter(p => whose(p) && p.seat === id);
  const used = w.seats.filter((s, i) => i < FIRST || owned(s.seat).length);
  const more = w.seats.filter(s => !used.includes(s)), others = w.parts.filter(p => !whose(p));
  const draw = s => seat(s, owned(s.seat), w);
  return [
    news(state, w),
    w.troubles.map(t => h("p", { class: "note bad", "data-k": "trouble " + t }, t)),
    w.open && h("section", { class: "open", "data-k": "open" },
      h("p", null, w.parts.some(whose) ? say("setup.found-some") : say("setup.open")),
      button("done", {}, say("setup.enough"))),
    w.found.length > 0 && h("section", { "data-k": "found" },
      h("h2", null, say("setup.plugged")), h("ul", { class: "rows" }, w.found.map(found))),
    h("section", { "data-k": "seats" },
      h("h2", null, say("setup.whose")),
      h("p", { class: "lead" }, say("setup.whose-how")),
      h("div", { class: "seats" }, draw({ seat: "table", name: "" }), used.map(draw)),
      more.length > 0 && h("details", null, h("summary", null, say("setup.more")),
        h("div", { class: "seats" }, more.map(draw)))),
    h("section", { "data-k": "others" },
      h("h2", null, say("setup.others")),
      others.length > 0 && h("ul", { class: "rows" }, others.map(part)),
      h("div", { class: "outputs" },
        !others.some(p => p.kind === "panel") && panelForm(w),
        !others.some(p => p.kind === "lights") && stripForms(w))),
    h("section", { "data-k": "test" },
      h("h2", null, say("setup.test")),
      h("p", { class: "lead" }, say("setup.test-how")),
      button("ask", { seat: "" }, say("setup.which"))),
    h("section", { "data-k": "keys" },
      h("h2", null, say("setup.keys")),
      h("p", { class: "lead" }, say("setup.keys-how")),
      h("div", { class: "keys" }, [...Object.keys(signs), "roll", "redo"].map(k =>
        button("teach", { key: k }, say("key." + k))))),
  ];
}

// news draws the question that waits, or else what became of the last one.
function news({ wired }, w) {
  const learnt = wired.key && w.receipt?.n > wired.receipt;
  let text = "", bad = false;
  if (w.asked) text = w.asked.seat ? say("setup.ask", { seat: name(w, w.asked.seat) }) : say("setup.ask-any");
  else if (wired.trouble && wired.answer === (w.answer?.n ?? 0)) [text, bad] = [wired.trouble, true];
  else if (wired.key) text = learnt ? w.receipt.text : say("setup.press", { key: say("key." + wired.key) });
  else if (w.answer) [text, bad] = [w.answer.text, !w.answer.ok];
  return h("div", { class: "news", role: "status", "data-k": "news" },
    text && h("p", { class: "note" + (w.asked || wired.key && !learnt ? " asks" : bad ? " bad" : ""), "data-k": text },
      h("span", null, text, w.asked?.text && h("small", null, w.asked.text)),
      w.asked && button("stop", {}, say("setup.cancel"))));
}

const button = (act, data, text, attributes) =>
  h("form", { "data-act": act, ...Object.fromEntries(Object.entries(data).map(([k, v]) => ["data-" + k, v])) },
    h("button", { type: "submit", ...attributes }, text));

const name = (w, seat) => w.seats.find(s => s.seat === seat)?.name ||
  (colours[seat] || seat === "table" ? say("seat." + seat) : seat);

function seat({ seat: id }, own, w) {
  const asked = w.asked?.seat === id;
  return h("section", { class: "seat" + (asked ? " asked" : ""), "data-k": "seat-" + id, "data-seat": id,
    style: palette(colours[id] ?? "#8a8f9c") },
  h("h3", null, shape(shapeOf(id)), id === "table" ? say("page.everybody") : name(w, id)),
  own.length ? h("ul", { class: "rows" }, own.map(part)) : h("p", { class: "empty" }, say("setup.nothing")),
  button("ask", { seat: id }, own.length ? say("setup.another") : say("setup.choose"),
    { "aria-label": say("setup.colon", { a: name(w, id), b: say(own.length ? "setup.another" : "setup.choose") }) }));
}

// part draws a part with its health. It lights up when it reads something.
const part = p => h("li", { "data-k": p.part },
  h("span", { class: "what" },
    h("b", null, say("setup.kind-" + p.kind)),
    h("span", { class: "device" }, short(p)),
    h("span", { class: "health " + p.health },
      p.reason ? say("setup.colon", { a: say("health." + p.health), b: p.reason }) : say("health." + p.health))),
  p.reads > 0 && h("span", { class: "reads", "data-k": "reads " + p.reads }, say("setup.reads", { n: p.reads })),
  ["panel", "lights"].includes(p.kind) && button("test", { part: p.part }, say("setup.try"),
    { class: "quiet", "aria-label": say("setup.colon", { a: say("setup.try"), b: short(p) }) }),
  p.written ? h("small", null, say("setup.written"))
    : button("remove", { part: p.part }, say("setup.remove"), { class: "quiet", "aria-label":
      say("setup.colon", { a: say("setup.remove"), b: short(p) }) }));

// short returns the name of a device file, and what udev calls a keyboard without what
// all have in common.
const short = p => (p.device || p.part).split("/").at(-1)
  .replace(/^(usb|bluetooth)-(.*)-event-\w+$/, "$2").replaceAll("_", " ");

function found(f) {
  const use = f.kind === "adapter" ? say("setup.probe") : say("setup.use");
  return h("li", { "data-k": f.id },
    h("span", { class: "what" }, h("b", null, say("setup.kind-" + f.kind)), h("span", { class: "device" }, f.name)),
    f.kind === "keyboard" ? h("small", null, say("setup.press-below"))
      : button("use", { found: f.id }, use, { "aria-label": say("setup.colon", { a: use, b: f.name }) }));
}
