// The track: spaces with pucks, and a lane for each seat's score.

import { h } from "../dom.js";
import { palette, seated, seatName, shape, shapesOf } from "../seats.js";
import { isAsked, textOf } from "../store.js";
import { label, say, says } from "../words.js";
import { fight, fights } from "./fight.js";

const PRINTED = 49; // last space of the board's track; a longer one is as long as the boss's health
const LONG = 24; // most spaces that are drawn one by one

export const band = live => fights(live.view) ? fight(live) : tracks(live.view);

const tracks = v => v.tracks.map(t => t.last - t.first + 1 > LONG ? lanes(v, t) : spaces(v, t));

const stackOf = (t, space) => t.stacks[space] ?? [];
const spoken = (v, t) => Object.entries(t.stacks)
  .flatMap(([space, seats]) => seats.map(s => says(seatName(v, s), space))).join(", ");

function spaces(v, t) {
  const list = Array.from({ length: t.last - t.first + 1 }, (_, i) => t.first + i);
  return h("figure", { class: "rail", "data-k": t.id, role: "img", "aria-label": spoken(v, t) },
    h("h2", null, label(v, "track", t.id)),
    h("ol", { class: "steps", style: { "--n": list.length } }, list.map(n => space(v, t, n))));
}

function space(v, t, n) {
  const areas = t.areas.filter(a => a.from <= n && n <= a.to), wide = areas.some(a => a.to > a.from);
  const kind = wide ? " wide" : areas.length ? n === t.last ? " goal" : " second" : "";
  // An area's name is below its middle; the one beside the last space leans away from it.
  const named = areas.find(a => n === Math.floor((a.from + a.to) / 2));
  const lean = kind === " goal" ? " r" : kind === " second" && n === t.last - 1 ? " r" : "";
  return h("li", { class: "step", "data-k": n },
    stack(v, stackOf(t, n)),
    h("div", { class: "cell" + kind }, h("b", null, n)),
    h("small", { class: kind + lean }, named && label(v, "area", named.id)));
}

// stack draws the seats of one space. The top one is ahead: it alone is a disc, the others
// are bars with their place.
function stack(v, seats) {
  const all = [...seats].reverse();
  return h("div", { class: "pucks k" + all.length }, all.map((id, i) => {
    const s = seated(v).find(s => s.id === id), asked = isAsked(id) ? " asked" : "";
    return h("i", {
      class: (i ? "bar" : "puck") + asked, "data-k": id, "data-puck": id, style: palette(s?.colour ?? "#888888"),
    }, shape(shapesOf(v)[id]), i > 0 && h("em", null, i + 1));
  }));
}

const scales = [10, 20, 30, 50, 100, 150, 200, 300, 500, 1000];

function lanes(v, t) {
  const list = seated(v).map(s => [s, Object.entries(t.stacks).find(([, seats]) => seats.includes(s.id))?.[0]])
    .filter(([, n]) => n !== undefined).map(([s, n]) => [s, Number(n)]);
  if (list.length === 1 && list[0][0].id === "table") return health(v, t, list[0][1]);
  const alone = v.tracks.length === 1, most = Math.max(...list.map(([, n]) => n));
  const full = list.length === 1 || t.areas.length ? t.last :
    scales.find(n => n >= most) ?? most;
  return h("figure", { class: "rail scorebox", "data-k": t.id, role: "img", "aria-label": spoken(v, t) },
    h("h2", null, label(v, "track", t.id)),
    h("ul", { class: "lanes" + (alone ? " named" : "") }, list.map(([s, n]) => h("li", {
      "data-k": s.id, style: palette(s.colour),
    },
      shape(shapesOf(v)[s.id]), alone && h("span", { class: "nm" }, seatName(v, s.id)),
      h("span", { class: "lane" }, h("i", { style: { width: `${Math.max(0, Math.min(1, n / full)) * 100}%` } })),
      h("b", null, n)))));
}

// health draws a track with only the boss's marker: a tick for each point.
function health(v, t, n) {
  const printed = textOf(v.zones.boss?.[0]?.card)?.match(say("boss.health"))?.[1];
  const full = t.last > PRINTED ? t.last : Math.max(n, printed ?? t.last);
  return h("figure", { class: "rail hp", "data-k": t.id, role: "img", "aria-label": `${n} / ${full}` },
    h("h2", null, label(v, "track", t.id)),
    h("div", null,
      h("div", { class: "ticks", style: { "--n": full } },
        Array.from({ length: full }, (_, i) => h("i", { class: i < n ? "on" : "" }))),
      h("div", { class: "nums" }, Array.from({ length: full / 10 + 1 }, (_, i) =>
        h("span", { style: { left: `${i * 1000 / full}%` } }, i * 10)))),
    h("b", null, n));
}
