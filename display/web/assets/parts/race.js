// The race of a match as a chart: the course of a counter, with the areas of its track and
// the rounds.

import { h } from "../dom.js";
import { paletteOf, seatName, shape, shapesOf } from "../seats.js";
import { label, say, says } from "../words.js";

const LINES = 5;  // of the grid, at most
const NAMED = 6;  // rounds with their whole names
const GAINED = 9; // rounds that say who gained most
const DIVIDED = 20; // rounds that a line divides
const WIDE = 3;   // between the names of two rounds, in percent of the width

export function race(v, result, own) {
  const { course } = result, drawn = chart(v, course, result.sides.map(side => side[0]));
  return drawn && h("section", { class: "box race", "data-k": "race" },
    h("h3", null, say("end.race", { what: course.label })),
    drawn.plot(rounds(v, result, own, drawn.x), signs(v, drawn, 7)));
}

// chart measures the course of a counter, and draws it with what else lies below and above the lines.
export function chart(v, course, seats) {
  const track = v.tracks.find(t => t.id === course.counter);
  const lines = course.lines.filter(l => seats.includes(l.seat));
  const all = lines.flatMap(l => l.values.map(p => p.value));
  if (!all.length || !course.inputs) return null;
  const least = Math.min(track?.first ?? 0, ...all), most = Math.max(isShort(track) ? track.last : 1, ...all);
  const [low, high] = isShort(track) ? [least - .5, most + .5] : [least, most + (most - least) * .04];
  const x = n => n / course.inputs * 100, y = value => (high - value) / (high - low) * 100;
  const areas = track ? track.areas.filter(a => a.to > a.from || a.to === track.last) : [];
  const spoken = lines.map(l => says(seatName(v, l.seat), valueAt(l))).join(", ");
  const under = [
    areas.map(a => h("i", {
      class: "area " + a.id, "data-k": a.id,
      style: { "--top": y(Math.min(a.to + .5, high)), "--tall": y(a.from - .5) - y(Math.min(a.to + .5, high)) },
    }, a.to > a.from && h("b", null, label(v, "area", a.id)))),
    ticks(low, high, track).map(n => h("i", { class: "tick", "data-k": "y" + n, style: { "--at": y(n) } }, n))];
  const paths = h("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" }, [...lines].reverse().map(l =>
    h("path", {
      "data-k": l.seat, style: { ...paletteOf(v, l.seat), "--by": offset(lines, l) }, "stroke-dasharray": l.dashes,
      d: stairs(l.values.map(p => [p.n, p.value]), n => x(n).toFixed(2), n => y(n).toFixed(2), 100),
    })));
  const plot = (below, above) =>
    h("div", { class: "plot", role: "img", "aria-label": spoken }, under, below, paths, above);
  return { x, y, lines, plot };
}

// valueAt returns the value of a line after input n, or its last one.
export const valueAt = (l, n = Infinity) => l.values.findLast(p => p.n <= n).value;

const isShort = track => track?.areas.length > 0;

const offset = (lines, l) => lines.indexOf(l) - (lines.length - 1) / 2;

// ticks returns the values that the grid names: those of a short track, else round numbers.
function ticks(low, high, track) {
  if (isShort(track)) {
    const edges = [track.first, ...track.areas.map(a => a.to), track.last];
    const middle = Math.round((edges[1] + track.last) / 2);
    return [...new Set([...edges, middle])].filter((n, _, all) => !all.includes(n + 1)); // two names would touch
  }
  const rough = (high - low) / LINES, ten = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map(n => n * ten).find(n => n >= rough));
  const least = Math.ceil(low / step), most = Math.floor(high / step);
  return Array.from({ length: most - least + 1 }, (_, i) => (least + i) * step);
}

function rounds(v, { rounds: list, sides, course }, own, x) {
  if (list.length < 2) return null;
  const every = Math.max(1, Math.ceil(list.length * WIDE / 100)) * (list.length > 20 ? 2 : 1);
  return list.map((r, i) => {
    const from = x(list[i - 1]?.n ?? 0), to = x(r.n);
    const gains = sides.map(([seat]) => own(r, seat)), sign = v.sheet?.low ? -1 : 1;
    const most = gains.reduce((a, b) => (b ?? -Infinity) * sign > (a ?? -Infinity) * sign ? b : a);
    const best = sides.filter((_, n) => gains[n] === most && most !== 0 && most !== undefined);
    const named = list.length <= NAMED && to - from > 9;
    return h("i", { class: "lap", "data-k": "r" + r.round, style: { "--from": from, "--to": to } },
      i < list.length - 1 && r.n < course.inputs && list.length <= DIVIDED && h("s"),
      (i % every === 0 || named) && h("small", null,
        named && h("span", null, say("page.round", { n: r.round })),
        h("span", null, list.length > GAINED ? r.round : say("moment.column", { n: r.round }))),
      list.length <= GAINED && best.length === 1 && h("b", { class: "gain", style: paletteOf(v, best[0][0]) },
        most > 0 ? "+" + most : "−" + -most));
  });
}

// signs draws whose each line is at its end, or after input n, apart where lines end together: in
// percent of the height.
export function signs(v, { lines, y }, apart, n, who = seat => shape(shapesOf(v)[seat])) {
  const list = lines.map(l => [l, y(valueAt(l, n))]).sort((a, b) => a[1] - b[1]);
  for (let i = 1; i < list.length; i++) list[i][1] = Math.max(list[i][1], list[i - 1][1] + apart);
  list.at(-1)[1] = Math.min(list.at(-1)[1], 100);
  for (let i = list.length - 2; i >= 0; i--) list[i][1] = Math.min(list[i][1], list[i + 1][1] - apart);
  return list.map(([l, top]) => h("i", {
    class: "sign", "data-k": "s" + l.seat, style: { ...paletteOf(v, l.seat), "--at": top },
  }, who(l.seat), h("b", null, valueAt(l, n))));
}

// share returns how long each side stood on the last space of a track, in percent of the inputs.
export function share(v, { course, sides }) {
  const goal = v.tracks.find(t => t.id === course.counter)?.areas.find(a => a.id === "top");
  if (!goal) return null;
  const part = seat => {
    const values = course.lines.find(l => l.seat === seat)?.values ?? [];
    return values.reduce((sum, { n, value }, i) =>
      sum + (value >= goal.from ? (values[i + 1]?.n ?? course.inputs) - n : 0), 0) / course.inputs;
  };
  return { title: label(v, "area", goal.id), parts: sides.map(([seat]) => [seat, Math.round(part(seat) * 100)]) };
}

// stairs returns the path through pairs of a place and the value there, in steps up to the end.
// Where the line goes on level, one stroke is enough.
const stairs = (line, x, y, end) =>
  line.map(([n, value], i) => i ? `H${x(n)}V${y(value)}` : `M${x(n)} ${y(value)}`).join("") + "H" + end;
