// The pad of a game that counts: the same six changes in the same places, whether
// they are possible now or not, and any other by its digits.

import { button, h } from "../dom.js";
import { label, say } from "../words.js";

const amounts = [-10, -5, -1, 1, 5, 10];

// by returns by how much an answer moves a counter, or 0.
const by = o => ({ gain: 1, lose: -1 })[o.key] * o.args?.n || 0;

// stepOf returns what one press of plus or minus changes, or 0 if a prompt is not
// one that counts.
const stepOf = options => Math.abs(by(options.find(o => by(o) && / key (plus|minus)$/.test(o.input)) ?? {}));

// pad draws the pad of a prompt, or returns null. The first prompt's buttons have
// numbers for the keyboard, from the left, and show the cursor.
export function pad(live, { seat, options }, first) {
  const step = stepOf(options);
  if (!step) return null;
  return h("div", { class: "pad", role: "group", "aria-label": say("pad.title") }, amounts.map((n, i) => {
    const sum = n * step, input = inputFor(seat, n, sum), o = options.find(o => o.input === input);
    const cursor = first && o && live.view.prompts[0].options.indexOf(o) === live.status.cursor ? " cursor" : "";
    return button("input", {
      class: "a" + (n < 0 ? " down" : " up") + cursor, "data-k": "pad" + n, "data-input": input,
      "data-number": first ? i + 1 : null, disabled: !o, "aria-label": o?.text,
    }, (sum < 0 ? "−" : "+") + Math.abs(sum));
  }), button("number", {
    class: "a any", "data-k": "any", "data-seat": seat, "data-what": counterOf(live.view, seat, options),
    "data-value": "", "data-add": 1, "data-number": first ? 7 : null, "aria-haspopup": "dialog",
  }, say("pad.any")));
}

// counterOf returns the counter that the answers change, which they name as people do, or
// undefined.
export function counterOf(v, seat, options) {
  const names = Object.keys(v.seats.find(s => s.id === seat).counters), { counter } = options.find(by)?.args ?? {};
  if (!counter) return undefined;
  return names.find(n => counter === "counter." + n) ?? names.find(n => counter.endsWith(label(v, "counter", n)));
}

const inputFor = (seat, n, sum) =>
  `${seat} ` + (n === 1 ? "key plus" : n === -1 ? "key minus" : `choose ${sum < 0 ? "" : "+"}${sum}`);

// isPadded reports whether an answer is on the pad.
export const isPadded = o => by(o) !== 0;
