// The answers of a prompt.

import { button, h } from "../dom.js";
import { faceOf, onlyCard, shows } from "../store.js";
import { label, say } from "../words.js";
import { faceOn } from "./dice.js";
import { further } from "./further.js";
import { opensForm } from "./mend.js";
import { isPadded, pad } from "./pad.js";

// answers draws the buttons of a prompt. Those of the first prompt have numbers
// for the keyboard and show the cursor of the left and right keys.
export function answers(live, prompt, first) {
  if (!shows(prompt.seat)) return null;
  const keypad = live.writes && pad(live, prompt, first);
  let numbers = keypad ? 7 : 0;
  const asked = prompt.options.some(o => numberOf(o) !== null); // a number: a digit types it
  const list = prompt.options.map((o, i) => {
    if (keypad && isPadded(o)) return null;
    if (prompt.roll && (o.key === "throw" || o.key === "face")) return null; // drawn by roll
    const cursor = first && prompt === live.view.prompts[0] && live.status.cursor === i ? " cursor" : "";
    if (o.zone && !(live.status.simulated && live.writes)) return zoneText(o, i, cursor);
    const number = asked ? first ? numberOf(o) : null : first ? ++numbers : null;
    return o.zone ? zoneAnswer(o, i, number, cursor) : answer(live, o, number, cursor);
  });
  if (!list.length && !prompt.roll) return null;
  const carded = list.length > 3 && prompt.options.some(o => !o.zone && o.input.includes(" tap "));
  const many = carded && list.length > 4; // more than a phone has room for
  const padded = live.status.digits ? " digits" : ""; // fingers, too, see what a number pad types
  return h("div", { class: "answers" + padded + (carded ? " carded" : "") + (many ? " many" : "") },
    keypad, list, first && opensForm(prompt), many && further("answers"),
    prompt.roll && live.writes && roll(live, prompt, first));
}

// numberOf returns the number that an answer is, or null.
const numberOf = o => / choose \d+$/.test(o.input) ? Number(o.input.split(" ").pop()) : null;

// The answers that press the key "next" show its stroke: their number would change
// with the other answers. The end of a match is asked once more.
function answer(live, o, number, cursor) {
  if (!live.writes) return h("p", { class: "answer seen", "data-k": o.input }, h("span", null, o.text));
  const next = number !== null && o.key === "end-turn", sure = o.key === "end" && o.input.endsWith(" choose end");
  if (sure) return button("open", { class: "answer" + cursor, "data-k": o.input, "data-open": "end" }, o.text);
  return button("input", {
    class: "answer" + long(o) + cursor, "data-k": o.input, "data-input": o.input, "data-number": next ? null : number,
  }, next ? h("kbd", { "aria-hidden": "true" }, ".") : numberOf(o) === null && keyed(number), h("span", null, o.text));
}

// long marks a text that may take two lines.
const long = o => o.text.length > 16 ? " long" : "";

const keyed = number => number !== null && number < 10 && h("kbd", { "aria-hidden": "true" }, number);

const tapping = "M5 3h9a2 2 0 0 1 2 2v5M5 3a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4" +
  "M12 15.500a4.500 4.500 0 0 1 0 5M15 13.500a8 8 0 0 1 0 9M18 11.500a12 12 0 0 1 0 12";

const sign = () =>
  h("svg", { class: "tapping", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: tapping }));
const reaching = (o, i, cursor) => ({ class: "answer reach" + long(o) + cursor, "data-k": o.zone + i });

// zoneText draws an answer given by any card of a zone, on a table whose cards the
// page cannot tap.
const zoneText = (o, i, cursor) => h("p", reaching(o, i, cursor), sign(), h("span", null, o.text));

// zoneAnswer draws such an answer on a simulated table: a button that taps the
// only card, or moves the focus to the cards.
function zoneAnswer(o, i, number, cursor) {
  const attributes = { ...reaching(o, i, cursor), "data-number": number };
  const inside = [keyed(number), sign(), h("span", null, o.text)], only = onlyCard(o.zone), [seat] = o.input.split(" ");
  if (only) return button("tap", { ...attributes, "data-tap": only, "data-seat": seat }, inside);
  return button("reach", { ...attributes, "data-reach": o.zone }, inside);
}

// roll draws the throw, and for players with real dice the faces of each die to
// choose from. The face of a single die is entered at once.
function roll(live, prompt, first) {
  const { seat, roll: { n, faces } } = prompt, single = n === 1;
  const of = live.view.seq + seat + prompt.key;
  const shown = Array.from({ length: n }, (_, die) => faceOf(of, die));
  const pointed = first && prompt === live.view.prompts[0] && prompt.options[live.status.cursor]?.input;
  const cursor = input => pointed === input ? " cursor" : "";
  const face = (f, die) => button(single ? "input" : "face", {
    class: "face" + (die === shown.indexOf(null) ? cursor(`${seat} roll ${f}`) : ""), "data-k": f,
    title: label(live.view, "face", f),
    ...(single ? { "data-input": `${seat} roll ${f}` } :
      { "data-of": of, "data-die": die, "data-face": f, "aria-pressed": String(f === shown[die]) }),
  }, faceOn(live.view, f));
  const whole = shown.every(Boolean);
  return h("div", { class: "dice", "data-k": "dice" },
    button("press", {
      class: "answer" + cursor(`${seat} key roll`), "data-k": "throw", "data-press": "roll", "data-seat": seat,
    }, h("kbd", { "aria-hidden": "true" }, "R"), h("span", null, say("dice.throw"))),
    !single && button("input", {
      class: "answer", "data-k": "enter", "data-input": whole ? `${seat} roll ${shown.join(" ")}` : null,
      disabled: !whole,
    }, say("dice.enter")),
    shown.map((_, die) => h("fieldset", { "data-k": "die" + die },
      h("legend", { class: single ? "unseen" : "" }, single ? say("dice.shows") : say("dice.number", { n: die + 1 })),
      faces.map(f => face(f, die)))));
}
