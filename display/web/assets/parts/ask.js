// The question: who is asked what, the answers that are no cards, and undo.

import { button, h } from "../dom.js";
import { seatName, shape, shapesOf } from "../seats.js";
import { faceOf, isDrawn, isOthers, mine, plays, question, refusal, shows, textOf, unknownTag } from "../store.js";
import { label, say, says } from "../words.js";
import { faceOn } from "./dice.js";
import { opensForm } from "./mend.js";

export function ask(state) {
  const { live } = state, v = live.view, p = question(v), others = isOthers(v);
  const known = p && v.seats.some(s => s.id === p.seat);
  return [
    who(v, p, known),
    h("div", { class: "text", "data-k": "text" },
      heading(p ? p.text : say("page.wait")),
      refused(live) ?? (others ? h("p", { "data-k": "nothing" }, say("ask.nothing")) : second(live, p))),
    h("div", { class: "answers", "data-k": "answers" }, p && !others && answers(state, p), teaching()),
    undo(live),
  ];
}

// heading draws a sentence in the large letters that it has room for.
export const heading = text => h("h2", { id: "prompt", class: text.length > 62 ? "longer" : text.length > 52 ? "long" : "" }, text);

const who = (v, p, known) => h("div", { class: "who", "data-k": "who", "data-asked": p?.seat },
  known && shape(shapesOf(v)[p.seat]),
  h("span", null, known ? seatName(v, p.seat) : p ? say("page.everybody") : "…"));

// refused draws the newest refusal in place of the second line. A long press insists.
function refused(live) {
  const r = refusal();
  if (!r) return null;
  const insists = r.override && plays(r.seat || "table");
  return h("p", {
    class: "no", "data-k": "no" + r.n, "data-refused": "", "data-insist": insists ? (r.seat || "table") + " key yes" : null,
    title: insists ? say("ask.insist") : null,
  }, h("span", null, r.text || say("receipt." + r.outcome)));
}

// second draws the text of the card that a prompt is about, else the ways to answer it
// with cards that this page does not show.
function second(live, p) {
  if (!p) return null;
  const does = typeof p.args?.card === "string" && textOf(p.args.card.replace(/^card\./, ""));
  const ways = p.options.filter(o => o.zone && !live.status.simulated).map(o => o.text);
  const text = ways.length ? ways.join(" · ") : does && does.replaceAll("\n", " · ");
  return text && h("p", { "data-k": "about" }, text);
}

const teaching = () => unknownTag() && button("open", {
  class: "a", "data-k": "learn", "data-open": "learn", "aria-haspopup": "dialog",
}, say("learn.which"));

// answers draws the answers that are no cards on the page. While cards answer, they are
// neutral.
function answers(state, p) {
  const { live } = state, list = p.options.filter(o => !isDrawn(o) && !(p.roll && (o.key === "throw" || o.key === "face")));
  const asked = list.some(o => numberOf(o) !== null), alone = p.options.length === list.length && !p.roll;
  let n = 0;
  return [
    p.roll && live.writes && roll(live, p),
    list.map((o, i) => answer(live, p, o, asked ? numberOf(o) : ++n, alone && i === 0)),
    opensForm(p),
  ];
}

// numberOf returns the number that an answer is, or null.
const numberOf = o => / choose \d+$/.test(o.input) ? Number(o.input.split(" ").pop()) : null;

function answer(live, p, o, number, primary) {
  const cursor = p === live.view.prompts[0] && live.status.cursor === p.options.indexOf(o) ? " cursor" : "";
  const kind = "a" + (primary ? " primary" : "") + cursor, inside = h("span", null, o.text);
  if (!live.writes) return h("p", { class: kind, "data-k": o.input }, inside);
  const act = o.zone ? { "data-act": "tap", "data-tap": o.zone, "data-seat": p.seat } :
    o.key === "end" && o.input.endsWith(" choose end") ? { "data-act": "open", "data-open": "end" } :
      { "data-act": "input", "data-input": o.input };
  return h("button", { type: "button", class: kind, "data-k": o.input, "data-number": number, ...act },
    number < 10 && h("kbd", { "aria-hidden": "true" }, number), inside);
}

// roll draws the throw and, for players with real dice, the faces of each die to choose from.
function roll(live, { seat, key, roll: { n, faces } }) {
  const of = live.view.seq + seat + key, single = n === 1;
  const shown = Array.from({ length: n }, (_, die) => faceOf(of, die)), whole = shown.every(Boolean);
  const face = (f, die) => button(single ? "input" : "face", {
    class: "face", "data-k": f, title: label(live.view, "face", f),
    ...(single ? { "data-input": `${seat} roll ${f}` } :
      { "data-of": of, "data-die": die, "data-face": f, "aria-pressed": String(f === shown[die]) }),
  }, faceOn(live.view, f));
  return [
    button("press", { class: "a primary", "data-k": "throw", "data-press": "roll", "data-seat": seat },
      h("kbd", { "aria-hidden": "true" }, "R"), h("span", null, say("dice.throw"))),
    h("details", { class: "byhand", "data-k": "byhand" }, h("summary", { class: "a" }, say("dice.byhand")),
      h("div", { class: "dice" }, shown.map((_, die) => h("fieldset", { "data-k": "die" + die },
        h("legend", { class: single ? "unseen" : "" }, single ? say("dice.shows") : say("dice.number", { n: die + 1 })),
        faces.map(f => face(f, die)))),
      !single && button("input", {
        class: "a", "data-k": "enter", "data-input": whole ? `${seat} roll ${shown.join(" ")}` : null, disabled: !whole,
      }, say("dice.enter")))),
  ];
}

function undo(live) {
  if (!live.writes) return null;
  const v = live.view, seat = mine() ?? v.turn ?? v.seats[0]?.id ?? "table";
  const can = v.seq > 0, again = live.history.some(e => e.again);
  const step = (verb, on, inside) => button("input", {
    class: "a", "data-k": verb, "data-input": `${seat} ${verb}`, disabled: !on, title: say("key." + verb), "aria-label": say("key." + verb),
  }, inside);
  return h("div", { class: "undo", "data-k": "undo" },
    step("undo", can, [arrow("M9 7 4 12l5 5M4 12h11a5 5 0 0 1 5 5v1"), h("span", null, say("key.undo"))]),
    step("redo", again, arrow("M15 7l5 5-5 5M20 12H9a5 5 0 0 0-5 5v1")));
}

const arrow = d => h("svg", { class: "arrow", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d }));

// aloud returns the text that a screen reader says at once.
export function aloud({ live }) {
  const v = live.view, r = refusal(), p = question(v), no = r ? r.text + ". " : "";
  if (!p) return no;
  const name = v.seats.some(s => s.id === p.seat) && shows(p.seat) ? seatName(v, p.seat) : "";
  return no + (name && !p.text.includes(name) ? says(name, p.text) : p.text);
}

// news draws what has just happened, for screen readers. A new element is read once.
export const news = ({ news: { n, lines } }) => lines.length > 0 && h("p", { "data-k": "n" + n }, lines.join(". "));
