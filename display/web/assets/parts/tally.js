// A game that only counts: each seat with its number and what changes it, or the score sheet.

import { button, h } from "../dom.js";
import { signs } from "../keys.js";
import { palette, scoreFirst, seatName } from "../seats.js";
import { isAsked, isBeside, mine, plays } from "../store.js";
import { label, say } from "../words.js";
import { header } from "./arena.js";
import { answer } from "./ask.js";
import { amount } from "./mend.js";
import { sheet } from "./sheet.js";

export function tally(state) {
  const { live, rounds } = state, v = live.view;
  return rounds && v.sheet?.rows.length ? sheet(state) : v.seats.map(s => counting(live, s));
}

// counting draws a seat: the number that counts now large, and the answers that change it.
function counting(live, s) {
  const v = live.view, p = v.prompts.find(p => p.seat === s.id), can = live.writes && p && plays(s.id);
  const all = scoreFirst(s.counters), chosen = p && counterOf(v, s.id, p.options);
  const [name, n] = all.find(([c]) => c === chosen) ?? all[0];
  const kinds = all.length > 1 && h("div", { class: "kinds", "data-k": "kinds" }, can && turns(p, "left"),
    all.map(([c, n]) => h("span", { "data-k": c, class: c === name ? "on" : "" },
      label(v, "counter", c), " ", h("b", null, n))), can && turns(p, "right"));
  return h("section", {
    class: "seat counts" + (isAsked(s.id) ? " asked" : "") + (s.id === mine() ? " mine" : ""),
    "data-k": s.id, "data-seat": s.id,
    "data-asked": isAsked(s.id), style: palette(s.colour), "aria-label": seatName(v, s.id),
  },
  header(live, s, leads(v, s) && h("span", { class: "tag", "data-k": "leads" }, say("tally.leads")), [
    toGo(v, ...all[0]), h("span", { class: "score", "data-k": "score" }, h("b", null, n))]),
  h("div", { class: "body" },
    h("b", { class: "huge", "data-k": "huge", style: { "--digits": Math.max(2, String(n).length) } },
      amount(live, s.id, name, n)),
    kinds,
    can && pad(live, p, p === v.prompts[0]),
    can && choices(live, p, p.options.filter(o => !isPadded(o) && !isBeside(o) && !signs[o.key]))));
}

const choices = (live, p, list) => list.length > 0 && h("div", {
  class: "pad choices" + (list.some(o => o.text.length > 3) ? " worded" : ""), "data-k": "choices",
}, list.map(o => answer(live, p, o, null, false)));

const turns = (p, key) => p?.options.filter(o => o.key === key).map(o => button("input", {
  class: "a", "data-k": key, "data-input": o.input, "aria-label": o.text,
}, signs[key]));

// toGo draws how far a number is from the one that ends the match.
function toGo({ tracks: [track] }, name, n) {
  const target = track?.areas.find(a => a.id === "target")?.from, left = Math.abs(target - n);
  return left > 0 && track.id === name &&
    h("span", { class: "togo", "data-k": "togo" }, say("tally.to-go", { n: left }));
}

// leads reports whether a seat, or its team, is ahead of all others.
function leads(v, s) {
  const columns = v.sheet?.columns ?? [], sign = v.sheet?.low ? -1 : 1;
  const points = c => sign * scoreFirst(v.seats.find(s => s.id === c[0]).counters)[0][1];
  const own = columns.find(c => c.includes(s.id));
  return columns.length > 1 && columns.every(c => c === own || points(own) > points(c));
}

const amounts = [-10, -5, -1, 1, 5, 10];

// by returns by how much an answer moves a counter, or 0.
const by = o => ({ gain: 1, lose: -1 })[o.key] * o.args?.n || 0;

// stepOf returns what one press of plus or minus changes, or 0 if a prompt is not
// one that counts.
const stepOf = options => Math.abs(by(options.find(o => by(o) && / key (plus|minus)$/.test(o.input)) ?? {}));

// pad draws the pad of a prompt, or returns null. The first prompt's buttons have
// numbers for the keyboard, from the left, and show the cursor.
function pad(live, { seat, options }, first) {
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
function counterOf(v, seat, options) {
  const names = Object.keys(v.seats.find(s => s.id === seat).counters), { counter } = options.find(by)?.args ?? {};
  if (!counter) return undefined;
  return names.find(n => counter === "counter." + n) ?? names.find(n => counter.endsWith(label(v, "counter", n)));
}

const inputFor = (seat, n, sum) =>
  `${seat} ` + (n === 1 ? "key plus" : n === -1 ? "key minus" : `choose ${sum < 0 ? "" : "+"}${sum}`);

const isPadded = o => by(o) !== 0;
