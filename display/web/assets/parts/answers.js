// The answers of a prompt.

import { button, h } from "../dom.js";
import { faceOf, onlyCard, shows } from "../store.js";
import { label, say } from "../words.js";

// answers draws the buttons of a prompt. Those of the first prompt have numbers
// for the keyboard and show the cursor of the left and right keys.
export function answers(live, prompt, first) {
  if (!shows(prompt.seat)) return null;
  const list = prompt.options.map((o, i) => {
    if (prompt.roll && (o.key === "throw" || o.key === "face")) return null; // drawn by roll
    const cursor = first && prompt === live.view.prompts[0] && live.status.cursor === i ? " cursor" : "";
    return o.zone ? zoneAnswer(live, o, i, cursor) : answer(live, o, first ? i + 1 : null, cursor);
  });
  if (!list.length && !prompt.roll) return null;
  return h("div", { class: "answers" + (list.length > 6 ? " many" : "") },
    list, prompt.roll && live.writes && roll(live, prompt, first));
}

function answer(live, o, number, cursor) {
  if (!live.writes) return h("p", { class: "answer seen", "data-k": o.input }, h("span", null, o.text));
  return button("input", {
    class: "answer" + cursor, "data-k": o.input, "data-input": o.input, "data-number": number,
  }, number !== null && number < 10 && h("kbd", { "aria-hidden": "true" }, number), h("span", null, o.text));
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

// roll draws the faces of each die to choose from. The face of a single die is
// entered at once.
function roll(live, prompt, first) {
  const { seat, roll: { n, faces } } = prompt, single = n === 1;
  const of = live.view.seq + seat + prompt.key;
  const shown = Array.from({ length: n }, (_, die) => faceOf(of, die));
  const pointed = first && prompt === live.view.prompts[0] && prompt.options[live.status.cursor]?.input;
  const cursor = input => pointed === input ? " cursor" : "";
  const face = (f, die) => button(single ? "input" : "face", {
    class: "face" + (die === shown.indexOf(null) ? cursor(`${seat} roll ${f}`) : ""), "data-k": f,
    ...(single ? { "data-input": `${seat} roll ${f}` } :
      { "data-of": of, "data-die": die, "data-face": f, "aria-pressed": String(f === shown[die]) }),
  }, label(live.view, "face", f));
  const whole = shown.every(Boolean);
  return h("div", { class: "dice", "data-k": "dice" },
    shown.map((_, die) => h("fieldset", { "data-k": "die" + die },
      h("legend", null, single ? say("dice.shows") : say("dice.number", { n: die + 1 })),
      faces.map(f => face(f, die)))),
    h("div", { class: "throw" },
      !single && button("input", {
        class: "answer", "data-input": whole ? `${seat} roll ${shown.join(" ")}` : null, disabled: !whole,
      }, say("dice.enter")),
      button("press", {
        class: "answer" + cursor(`${seat} key roll`), "data-k": "throw", "data-press": "roll", "data-seat": seat,
      }, h("kbd", { "aria-hidden": "true" }, "R"), h("span", null, say("dice.throw")))));
}
