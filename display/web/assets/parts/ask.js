// The question: who is asked what, the answers that are no cards, and undo.

import { button, choice, h, icon } from "../dom.js";
import { pressed } from "../keys.js";
import { seatName, shape, shapesOf } from "../seats.js";
import {
  answersOf, hints, isComputer, isCounting, isOfDeal, isOthers, isTables, isToReveal, meanwhile, mine, numberOf,
  onSheet, overflows, plays, question, refusal, rolls, sheetNow, shows, textOf, unknownTag,
} from "../store.js";
import { label, say, says } from "../words.js";
import { near } from "./arena.js";
import { faceOn } from "./dice.js";

export function ask(state) {
  const { live } = state, v = live.view, p = question(v), others = isOthers(v);
  const known = p && v.seats.some(s => s.id === p.seat), several = others && live.writes && meanwhile().length > 1;
  return [
    who(v, p, known),
    h("div", { class: "text", "data-k": "text" },
      heading(!p ? say("page.wait") : isComputer(p.seat) ? paused(live) :
        p.key === "table" && isCounting(v) ? say("tally.how") : p.text),
      refused() ?? (!others ? second(live, p) : !several &&
        h("p", { "data-k": "nothing" }, isComputer(p.seat) ? p.text : say("ask.nothing")))),
    h("div", { class: "answers", "data-k": "answers" }, views(state),
      several && opener("answers", say("ask.choose")),
      p && !others && [
        [p, ...v.prompts.filter(q => q.seat === "table" && q !== p)].map(p => answers(live, p)), near(live)],
      p && hand(live, p.seat),
      teaching()),
    undo(live),
  ];
}

function hand({ status, rights, writes }, seat) {
  if (!writes) return null;
  const mayTake = !rights.seat || rights.seat === seat;
  const one = (what, text) => button("order", { class: "a", "data-k": what, "data-do": what, "data-seat": seat }, text);
  return isTables(seat) ? [
    isComputer(seat) && [!status.paused && one("pause", say("computer.pause")), one("play-now", say("computer.now"))],
    mayTake && one("take-seat", say("computer.take"))] :
    mayTake && status.taken?.includes(seat) && one("leave-seat", say("computer.leave"));
}

const paused = ({ status }) => status.paused ? say("ask.paused") : [say("ask.thinks"), thinks];
const thinks = h("span", { class: "thinks", "aria-hidden": "true" }, [0, 1, 2].map(n => h("i", { "data-k": n })));

const heading = text =>
  h("h2", { id: "prompt", class: text.length > 62 ? "longer" : text.length > 52 ? "long" : "" }, text);

const who = (v, p, known) => h("div", { class: "who", "data-k": "who", "data-asked": p?.seat },
  known && shape(shapesOf(v)[p.seat]),
  h("span", null, known ? seatName(v, p.seat) : p ? say("page.everybody") : "…"));

// refused draws the newest refusal in place of the second line. A long press insists.
function refused() {
  const r = refusal();
  if (!r) return null;
  const insists = r.override && plays(r.seat || "table");
  return h("p", {
    class: "no", "data-k": "no" + r.n, "data-refused": "",
    "data-insist": insists ? (r.seat || "table") + " key yes" : null,
    title: insists ? say("ask.insist") : null,
  }, h("span", null, r.text || say("receipt." + r.outcome)));
}

function second(live, p) {
  if (!p) return null;
  const does = typeof p.args?.card === "string" && textOf(p.args.card.replace(/^card\./, ""));
  if (isToReveal(p)) return h("p", { "data-k": "first" }, say("ask.reveal"));
  const ways = p.options.filter(o => o.zone && !live.status.simulated).map(o => o.text);
  const text = ways.length ? ways.join(" · ") : does && does.replaceAll("\n", " · ");
  return text && h("p", { "data-k": "about" }, text);
}

export const teaching = () => unknownTag() && button("learn", {
  class: "a", "data-k": "learn", "aria-haspopup": "dialog",
}, pressed(unknownTag()) ? say("learn.which-key") : say("learn.which"));

const views = ({ live }) => live.view.sheet?.rows.length > 0 && h("div", { class: "segs", "data-k": "views" },
  ["", "true"].map(on => choice("rounds", on, onSheet() ? "true" : "", { "data-k": on || "seats" },
    say(on ? "sheet.rounds" : "sheet.seats"))));

// answers draws the answers that are no cards on the page. While cards answer, they are
// neutral. Those that have no room lie over the arena.
function answers(live, p) {
  const list = answersOf(p), first = p === question(), pads = isCounting(live.view);
  const refusable = p.options.some(o => / key no$/.test(o.input)); // what may be refused is not recommended
  const alone = first && !p.roll && !refusable && p.key !== "row" && (pads || p.options.length === list.length);
  return [
    p.roll && live.writes && roll(p, first),
    first && overflows(list) ? opener("answers", say("ask.choose"), alone && sheetNow() !== "answers") :
      list.map(({ o, number }, i) => answer(live, p, o, number, alone && i === 0 && o.key !== "end")),
    isOfDeal(p) && plays(p.seat) ?
      button("deal", { class: "a primary", "data-k": "deal", "aria-haspopup": "dialog" }, say("deal.open")) :
      p.form && plays(p.seat) && button("openForm", {
        class: "answer", "data-k": "form", "aria-haspopup": "dialog",
      }, say("form.open")),
  ];
}

const opener = (what, text, primary) => button("sheet", {
  class: "a" + (primary ? " primary" : ""), "data-k": what, "data-sheet": sheetNow() === what ? "" : what,
  "aria-expanded": String(sheetNow() === what), "aria-controls": "sheet",
}, text);

export const many = (live, p = question()) => h("div", { class: "options", "data-k": "answers" },
  shows(p.seat) ? answersOf(p).map(({ o, number }) => answer(live, p, o, number)) :
    meanwhile().map(o => answer(live, null, o)));

export function answer(live, p, o, number, primary) {
  const cursor = p === live.view.prompts[0] && live.status.cursor === p.options.indexOf(o) ? " cursor" : "";
  const key = o.input.endsWith(" key next") ? "." : number && number !== numberOf(o) && number < 10 ? number : "";
  const kind = "a" + (primary ? " primary" : "") + cursor, inside = h("span", null, o.text);
  if (!live.writes) return h("p", { class: kind, "data-k": o.input }, inside);
  const act = o.zone ? { "data-act": "tap", "data-tap": o.zone, "data-seat": p.seat } :
    o.key === "end" && o.input.endsWith(" choose end") ? { "data-act": "open", "data-open": "end" } :
      { "data-act": "input", "data-input": o.input };
  const less = p?.key === "fill" && o.args?.n > 0 ? o.input.replace(/\d+$/, "-$&") : null; // points may be lost
  return h("button", {
    type: "button", class: kind, "data-k": o.input, "data-number": number, "data-long": less,
    title: less && say("sheet.less", { n: o.args.n }), ...act,
  },
    key && h("kbd", { "aria-hidden": "true", class: key === "." ? "dot" : null }, key), inside);
}

const roll = ({ seat }, first) => [
  button("press", {
    class: "a" + (first ? " primary" : ""), "data-k": "throw", "data-press": "roll", "data-seat": seat,
  },
    h("kbd", { "aria-hidden": "true" }, "R"), h("span", null, say("dice.throw"))),
  opener("byhand", say("dice.byhand"))];

export function byHand({ live: { view, status }, thrown }) {
  const { seat, key, roll: { n, faces } } = rolls(), of = view.seq + seat + key, single = n === 1;
  const shown = Array.from({ length: n }, (_, die) => thrown[of]?.[die]), whole = shown.every(Boolean);
  const pointed = view.prompts[0].options[status.cursor]?.input, is = f => pointed === `${seat} roll ${f}`;
  const face = (f, die) => button(single ? "input" : "keep", {
    class: "face" + (is(f) ? " cursor" : ""), "data-k": f, title: label(view, "face", f),
    ...(single ? { "data-input": `${seat} roll ${f}` } :
      { "data-keep": `thrown.${of}.${die}`, "data-value": f, "aria-pressed": String(f === shown[die]) }),
  }, faceOn(view, f));
  return h("div", { class: "dice", "data-k": "byhand" },
    shown.map((_, die) => h("fieldset", { "data-k": "die" + die },
      h("legend", null, single ? say("dice.shows") : say("dice.number", { n: die + 1 })),
      faces.map(f => face(f, die)))),
    !single && button("input", {
      class: "a" + (whole ? " primary" : ""), "data-k": "enter", disabled: !whole,
      "data-input": whole ? `${seat} roll ${shown.join(" ")}` : null,
    }, say("dice.enter")));
}

const bulb = icon("arrow", "M9 17h6M10 21h4M9 17c0-2-4-4-4-8a7 7 0 0 1 14 0c0 4-4 6-4 8");

function undo(live) {
  if (!live.writes) return null;
  const v = live.view, seat = mine() ?? v.turn ?? v.seats[0]?.id ?? "table";
  const can = v.seq > 0, again = live.history.some(e => e.again);
  const step = (verb, on, inside) => button("input", {
    class: "a", "data-k": verb, "data-input": `${seat} ${verb}`, disabled: !on, title: say("key." + verb),
    "aria-label": say("key." + verb),
  }, inside);
  return h("div", { class: "undo", "data-k": "undo" },
    hints() && button("hint", {
      class: "a hint", "data-k": "hint", "data-seat": question().seat, title: say("hint.title"),
      "aria-label": say("hint.title"),
    }, bulb),
    step("undo", can, [icon("arrow", "M9 7 4 12l5 5M4 12h11a5 5 0 0 1 5 5v1"), h("span", null, say("key.undo"))]),
    step("redo", again, icon("arrow", "M15 7l5 5-5 5M20 12H9a5 5 0 0 0-5 5v1")));
}

export function aloud({ live }) {
  const v = live.view, r = refusal(), p = question(v), no = r ? r.text + ". " : "";
  if (!p) return no;
  const name = v.seats.some(s => s.id === p.seat) && shows(p.seat) ? seatName(v, p.seat) : "";
  return no + (name && !p.text.includes(name) ? says(name, p.text) : p.text);
}

// news draws what has just happened, for screen readers. A new element is read once.
export const news = ({ news: { n, lines } }) => lines.length > 0 && h("p", { "data-k": "n" + n }, lines.join(". "));
