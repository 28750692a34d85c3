// The prompt: what one reads first, and its answers.

import { h, label, palette, say, seatName, seated, shape, shapesOf } from "./core.js";
import { starting } from "./setup.js";
import { unknownTag } from "./learn.js";
import { text } from "./texts.js";

export function ask(live) {
  const v = live.view;
  if (live.status.continue) return [continuing(live), receipt(live)];
  // A tag is answered above the form, which is long; Begin below it.
  if (v.match === null) return live.status.receipt?.outcome === "unknown" ? [receipt(live), starting(live)] : [starting(live), receipt(live)];
  if (v.winners.length) return [over(live), receipt(live)];
  if (!v.prompts.length) return [banner(v, null, say("page.wait"), null, live), receipt(live)];
  const [first] = v.prompts;
  return [banner(v, first.seat, first.text, [about(first), answers(live, first, true)], live), receipt(live)];
}

// about is what the card does that a prompt is about: nobody can read it off a
// simulated one.
function about(prompt) {
  const does = typeof prompt.args?.card === "string" && text(prompt.args.card.replace(/^card\./, ""));
  return does && h("p", { class: "about", "data-k": "about" }, does.split("\n").map(l => h("span", null, l)));
}

// aloud is what a screen reader is told at once.
export function aloud(live) {
  const v = live.view;
  if (live.status.continue) return waiting(live);
  const r = live.status.receipt;
  const refused = r && r.outcome !== "accepted" ? r.text + ". " : "";
  if (v.winners.length) return refused + winners(v);
  const [p] = v.prompts;
  if (!p) return refused;
  const name = v.seats.some(s => s.id === p.seat) ? seatName(v, p.seat) : "";
  return refused + (name && !p.text.includes(name) ? name + ": " : "") + p.text;
}

function banner(v, seat, text, below, live) {
  const s = v.seats.find(s => s.id === seat), named = s && text.includes(seatName(v, seat));
  return h("div", { class: "banner" + (s ? "" : " all"), "data-k": "banner", style: s ? palette(s.colour) : {} },
    h("div", { class: "ghost", "aria-hidden": "true" }, s ? shape(shapesOf(v)[seat]) : null),
    !named && h("p", { class: "who" }, s ? [shape(shapesOf(v)[seat]), seatName(v, seat)] : say("page.everybody")),
    h("h2", { id: "prompt", class: text.length > 70 ? "long" : "" }, named && shape(shapesOf(v)[seat]), text),
    below);
}

// answers are the buttons of a prompt. The first prompt's are numbered for
// the keyboard and show where left and right have the cursor.
export function answers(live, prompt, main) {
  const may = live.writes, list = prompt.options.map((o, i) => {
    if (prompt.roll && (o.key === "throw" || o.key === "face")) return null; // roll shows them better
    const number = main && i < 9 ? h("kbd", { "aria-hidden": "true" }, i + 1) : null;
    const at = main && live.status.cursor === i ? " cursor" : "";
    if (o.zone) return zoneAnswer(live, o, i, at);
    return h("button", { type: "button", class: "answer" + at, "data-k": o.input, "data-input": o.input, "data-number": main ? i + 1 : null, disabled: !may }, number, h("span", null, o.text));
  });
  if (!list.length && !prompt.roll) return null;
  return h("div", { class: "answers" + (list.length > 6 ? " many" : "") }, list, prompt.roll && roll(live, prompt, main));
}

// An answer that any card of a zone gives: on a simulated table it leads to
// the cards, else it only says so.
function zoneAnswer(live, o, i, at) {
  const inside = [h("svg", { class: "tapping", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path", { d: "M5 3h9a2 2 0 0 1 2 2v5M5 3a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4M12 15.500a4.500 4.500 0 0 1 0 5M15 13.500a8 8 0 0 1 0 9M18 11.500a12 12 0 0 1 0 12" })), h("span", null, o.text)];
  if (live.status.simulated && live.writes) {
    return h("button", { type: "button", class: "answer reach" + at, "data-k": o.zone + i, "data-reach": o.zone, "data-number": i + 1 }, inside);
  }
  return h("p", { class: "answer reach" + at, "data-k": o.zone + i }, inside);
}

const thrown = { for: "", faces: [] };

const throwForMe = (live, seat, at) => h("button", { type: "button", class: "answer" + at, "data-k": "throw", "data-press": "roll", "data-seat": seat, disabled: !live.writes }, h("kbd", { "aria-hidden": "true" }, "R"), h("span", null, say("dice.throw")));

// roll asks for each die what it shows. A single one is entered at once.
function roll(live, prompt, main) {
  const pointed = main && prompt.options[live.status.cursor]?.input, at = input => pointed === input ? " cursor" : "";
  const r = prompt.roll, seat = prompt.seat, key = live.view.seq + seat + prompt.key;
  if (thrown.for !== key) { thrown.for = key; thrown.faces = Array(r.n).fill(null); }
  const whole = thrown.faces.every(Boolean), single = r.n === 1;
  const face = (f, die, chosen) => h("button", { type: "button", class: "face" + (die === thrown.faces.findIndex(shown => !shown) ? at(`${seat} roll ${f}`) : ""), "data-k": f, disabled: !live.writes,
    ...(single ? { "data-input": `${seat} roll ${f}` } : { "data-die": die, "data-face": f, "aria-pressed": String(f === chosen) }) }, label(live.view, "face", f));
  return h("div", { class: "dice", "data-k": "dice" },
    thrown.faces.map((chosen, die) => h("fieldset", { "data-k": "die" + die },
      h("legend", null, single ? say("dice.shows") : say("dice.number", { n: die + 1 })),
      r.faces.map(f => face(f, die, chosen)))),
    h("div", { class: "throw" },
      !single && h("button", { type: "button", class: "answer", "data-input": whole ? `${seat} roll ${thrown.faces.join(" ")}` : null, disabled: !whole || !live.writes }, say("dice.enter")),
      throwForMe(live, seat, at(`${seat} key roll`))));
}

export function setFace(die, face) { thrown.faces[die] = face; }

const names = v => {
  const list = v.winners.map(w => seatName(v, w));
  return list.length < 2 ? list.join("") : list.slice(0, -1).join(", ") + " " + say("page.and") + " " + list.at(-1);
};

const winners = v => say(v.winners.length > 1 ? "page.winners" : "page.winner", { name: names(v) });

// numbered is an answer of the page itself, given by click or by its number.
const numbered = (live, n, word, does) =>
  h("button", { type: "button", class: "answer", "data-number": n, disabled: !live.writes, ...does },
    h("kbd", { "aria-hidden": "true" }, n), h("span", null, say(word)));

function over(live) {
  const v = live.view, s = seated(v).find(s => s.id === v.winners[0]);
  return h("div", { class: "banner won", "data-k": "won", style: s ? palette(s.colour) : {} },
    h("div", { class: "ghost", "aria-hidden": "true" }, v.winners.map(w => shape(shapesOf(v)[w]))),
    h("p", { class: "who" }, say("page.over")),
    h("h2", { id: "prompt" }, winners(v)),
    h("div", { class: "answers" },
      numbered(live, 1, "menu.rematch", { "data-do": "rematch" }),
      numbered(live, 2, "menu.other", { "data-open": "begin" })));
}

// waiting is which match waits, in the table's words where it has them.
const waiting = live => live.view.prompts[0]?.text || say("page.continue");

function continuing(live) {
  return h("div", { class: "banner all", "data-k": "continue" },
    h("p", { class: "who" }, say("page.unfinished")),
    h("h2", { id: "prompt" }, waiting(live)),
    h("div", { class: "answers" },
      numbered(live, 1, "menu.resume", { "data-input": "table key yes" }),
      numbered(live, 2, "menu.other", { "data-open": "begin" })));
}

// receipt is what the table said to the last thing that was done. What was
// accepted is said by the history; what was not stays until something is.
function receipt(live) {
  const r = live.status.receipt;
  if (!r || r.outcome === "accepted") return null;
  // The question whether to go on with a part of a match says the same.
  if (r.override && live.status.continue) return null;
  const seat = r.seat && r.seat !== "table" ? live.view.seats.find(s => s.id === r.seat) : null;
  return h("div", { class: "receipt " + r.outcome, "data-k": "receipt" + r.n },
    h("span", { class: "sign", "aria-hidden": "true" }, r.outcome === "unknown" ? "?" : "✕"),
    h("p", null, h("strong", null, seat ? seatName(live.view, seat.id) + " · " : "", say("receipt." + r.outcome)), h("span", null, r.text)),
    unknownTag(live) && h("button", { type: "button", "data-open": "learn", "aria-haspopup": "dialog" }, say("learn.which")),
    r.override && h("button", { type: "button", "data-input": (r.seat || "table") + " key yes", disabled: !live.writes }, say("receipt.insist")));
}

document.addEventListener("click", e => {
  const face = e.target.closest("[data-face]");
  if (face && !face.disabled) { setFace(Number(face.dataset.die), face.dataset.face); import("./table.js").then(t => t.render()); }
});
