// A boss: its health and its special power.

import { idOf } from "../cards.js";
import { h } from "../dom.js";
import { textOf } from "../store.js";
import { label, say } from "../words.js";
import { answering, nameOf } from "./card.js";

const PRINTED = 49; // last space of the board's track; a longer one is as long as the boss's health

// power draws what the boss's own card does now.
export function power(live, place, c) {
  const v = live.view, word = label(v, "state", c.state?.[0] ?? ""), lower = word.toLowerCase();
  const line = textOf(c.card)?.split("\n").find(l => l.toLowerCase().startsWith(lower));
  const invented = v.notices.find(n => n === "stand-in-boss");
  return h("button", { type: "button", class: "sp", "data-k": place, ...answering(live, place, idOf(c)) },
    h("b", null, word), h("span", null, line ? line.slice(line.indexOf(":") + 1).trim() : nameOf(c)),
    invented && h("i", { title: label(v, "notice", invented) }, "!"));
}

// health draws a track with only the boss's marker: a tick for each point.
export function health(v, t, n) {
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
