// The answers of a prompt.

import { idOf } from "../cards.js";
import { button, h } from "../dom.js";
import { faceOf, onlyCard } from "../store.js";
import { label, say } from "../words.js";
import { faceOn } from "./dice.js";
import { isPadded, pad } from "./pad.js";

// answers draws the buttons of a prompt. Those of the first prompt have numbers
// for the keyboard and show the cursor of the left and right keys.
export function answers(live, prompt, first) {
  const keypad = pad(live, prompt, first), offset = keypad ? 6 - prompt.options.filter(isPadded).length : 0;
  const list = prompt.options.map((o, i) => {
    if (keypad && isPadded(o) || isDoubled(live.view, prompt, o)) return null;
    if (prompt.roll && (o.key === "throw" || o.key === "face")) return null; // drawn by roll
    const cursor = first && live.status.cursor === i ? " cursor" : "";
    if (o.zone) return zoneAnswer(live, o, i, cursor);
    return answer(live, withSide(live.view, prompt, o), first ? i + 1 + offset : null, cursor);
  });
  if (!list.length && !prompt.roll) return null;
  const carded = list.length > 4 && prompt.options.some(o => !o.zone && o.input.includes(" tap "));
  return h("div", { class: "answers" + (carded ? " carded" : "") },
    keypad, list, prompt.roll && roll(live, prompt, first));
}

const arrows = { left: "◀ ", right: " ▶" };

// sideOf returns whether an answer takes the card at the left or right of the asked
// seat, or undefined.
const sideOf = (v, { seat }, o) => Object.keys(arrows).find(side =>
  (v.seats.find(s => s.id === seat)?.zones[side] ?? []).some(c => o.input === `${seat} tap ${idOf(c)}`));

// isDoubled reports whether an answer presses the key left or right, and another
// one takes the card there.
const isDoubled = (v, p, o) => Object.keys(arrows).some(side =>
  o.input === `${p.seat} key ${side}` && p.options.some(other => sideOf(v, p, other) === side));

// withSide returns an answer with an arrow if it stands for the key left or right.
function withSide(v, p, o) {
  const side = sideOf(v, p, o);
  if (!side || !p.options.some(other => other.input === `${p.seat} key ${side}`)) return o;
  return { ...o, text: side === "left" ? arrows.left + o.text : o.text + arrows.right };
}

// The answers that press the key "next" show its stroke: their number would change
// with the other answers. The end of a match is asked once more.
function answer(live, o, number, cursor) {
  const next = number !== null && o.key === "end-turn", sure = o.key === "end" && o.input.endsWith(" choose end");
  if (sure) return button("open", { class: "answer" + cursor, "data-k": o.input, "data-open": "end" }, o.text);
  return button("input", {
    class: "answer" + cursor, "data-k": o.input, "data-input": o.input, "data-number": next ? null : number,
    disabled: !live.writes,
  }, (next || number !== null && number < 10) && h("kbd", { "aria-hidden": "true" }, next ? "." : number),
  h("span", null, o.text));
}

const tapping = "M5 3h9a2 2 0 0 1 2 2v5M5 3a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4" +
  "M12 15.500a4.500 4.500 0 0 1 0 5M15 13.500a8 8 0 0 1 0 9M18 11.500a12 12 0 0 1 0 12";

// zoneAnswer draws an answer given by any card of a zone: on a simulated table a
// button that taps the only card, or moves the focus to the cards; else a text.
function zoneAnswer(live, o, i, cursor) {
  const attributes = { class: "answer reach" + cursor, "data-k": o.zone + i };
  const inside = [
    h("svg", { class: "tapping", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: tapping })),
    h("span", null, o.text)];
  if (!live.status.simulated || !live.writes) return h("p", attributes, inside);
  const only = onlyCard(o.zone);
  if (only) {
    const [seat] = o.input.split(" ");
    return button("tap", { ...attributes, "data-tap": only, "data-seat": seat, "data-number": i + 1 }, inside);
  }
  return button("reach", { ...attributes, "data-reach": o.zone, "data-number": i + 1 }, inside);
}

// roll draws the throw, and for players with real dice the faces of each die to
// choose from. The face of a single die is entered at once.
function roll(live, prompt, first) {
  const { seat, roll: { n, faces } } = prompt, may = live.writes, single = n === 1;
  const of = live.view.seq + seat + prompt.key;
  const shown = Array.from({ length: n }, (_, die) => faceOf(of, die));
  const pointed = first && prompt.options[live.status.cursor]?.input;
  const cursor = input => pointed === input ? " cursor" : "";
  const face = (f, die) => button(single ? "input" : "face", {
    class: "face" + (die === shown.indexOf(null) ? cursor(`${seat} roll ${f}`) : ""), "data-k": f, disabled: !may,
    title: label(live.view, "face", f),
    ...(single ? { "data-input": `${seat} roll ${f}` } :
      { "data-of": of, "data-die": die, "data-face": f, "aria-pressed": String(f === shown[die]) }),
  }, faceOn(live.view, f));
  const whole = shown.every(Boolean);
  return h("div", { class: "dice", "data-k": "dice" },
    button("press", {
      class: "answer" + cursor(`${seat} key roll`), "data-k": "throw", "data-press": "roll", "data-seat": seat,
      disabled: !may,
    }, h("kbd", { "aria-hidden": "true" }, "R"), h("span", null, say("dice.throw"))),
    !single && button("input", {
      class: "answer", "data-k": "enter", "data-input": whole ? `${seat} roll ${shown.join(" ")}` : null,
      disabled: !whole || !may,
    }, say("dice.enter")),
    shown.map((_, die) => h("fieldset", { "data-k": "die" + die },
      h("legend", { class: single ? "unseen" : "" }, single ? say("dice.shows") : say("dice.number", { n: die + 1 })),
      faces.map(f => face(f, die)))));
}
