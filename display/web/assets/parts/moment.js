// The cards of a round and of the whole match.

import { button, h } from "../dom.js";
import { paletteOf, seatName, shape, shapesOf } from "../seats.js";
import { say } from "../words.js";

// moment draws the card of the round that has ended over the table, or the result
// of the match above it.
export function moment({ live: { view: v }, result, moment: shown }) {
  if (!shown || result?.match !== v.match) return null;
  if (shown.name === "end") return v.winners.length > 0 && ending(v, result);
  const one = result.rounds.find(r => r.round === shown.round);
  return one && h("div", { class: "moment-place", "data-k": "moment" }, round(v, result, one));
}

const who = (v, seat) => [shape(shapesOf(v)[seat]), h("b", null, seatName(v, seat))];
const gained = n => n > 0 ? "+" + n : n < 0 ? "−" + -n : "–";

// round draws who gained what in a round, the best first, and the events that
// ended it.
function round(v, { counter, label, seats }, { round: n, points, totals, lines }) {
  const sign = v.sheet?.low ? -1 : 1, worth = s => sign * (points[s.seat] ?? 0);
  const order = [...seats].sort((a, b) => worth(b) - worth(a));
  return button("closeMoment", { class: "moment", "data-k": "round" + n },
    h("h3", null, say("moment.round", { n })),
    counter && h("ul", { class: "gains" }, order.map(({ seat }) =>
      h("li", { style: paletteOf(v, seat) }, who(v, seat),
        h("em", { class: points[seat] > 0 ? "gain" : "" }, gained(points[seat] ?? 0)),
        h("span", null, totals[seat] ?? "", " ", h("small", null, label))))),
    lines.length > 0 && h("ul", { class: "why" }, lines.slice(0, 8).map(l => h("li", null, l))));
}

// ending draws the ranking with the points of each round, how long the match took
// and the moves that decided.
function ending(v, result) {
  const { counter, label, seats, seconds } = result, rounds = counter && result.rounds.length > 1 ? result.rounds : [];
  return h("section", { class: "ending panel", "data-k": "ending", "aria-label": say("moment.result") },
    h("header", null, h("h3", null, say("moment.result")),
      seconds >= 60 && h("span", { class: "took" }, took(seconds)),
      h("a", { class: "answer", href: "/matches/current" }, say("matches.replay")),
      button("share", { class: "answer" }, say("moment.share")),
      button("closeMoment", { class: "round", "aria-label": say("page.close"), title: say("page.close") }, "✕")),
    h("div", { class: "sheet" }, h("table", null,
      rounds.length > 0 && h("thead", null, h("tr", null,
        h("td", { colspan: 2 }), rounds.map(r => h("th", { scope: "col" }, say("moment.column", { n: r.round }))),
        h("td", null))),
      h("tbody", null, seats.map(s => h("tr", { class: s.won ? "won" : "", style: paletteOf(v, s.seat) },
        h("td", { class: "rank" }, s.rank),
        h("th", { scope: "row" }, who(v, s.seat)),
        rounds.map(r => h("td", null, gained(r.points[s.seat] ?? 0))),
        counter && h("td", { class: "total" }, h("b", null, s.value), " ", label)))))),
    result.moves.length > 0 && h("div", { class: "decided" },
      h("h4", null, say("moment.moves")),
      h("ol", null, result.moves.map(m => h("li", { style: paletteOf(v, m.seat) },
        shape(shapesOf(v)[m.seat]), h("span", null, m.lines.join(" · ")),
        m.second >= 60 && h("small", null, clock(m.second)))))));
}

const clock = s => `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;

function took(seconds) {
  const minutes = Math.round(seconds / 60), hours = Math.floor(minutes / 60), n = minutes % 60;
  return hours ? say("moment.hours", { h: hours, n }) : say("moment.minutes", { n });
}
