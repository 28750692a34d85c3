// "Your table": what one player wants to know, on a phone.

import { h } from "../dom.js";
import { plain } from "../plain.js";
import { say } from "../words.js";
import { doing, field } from "./evenings.js";

export function seating(state) {
  const { evening: { id, name, seat, player }, lost, lang } = state;
  return [
    h("div", { class: "head", "data-k": "head" }, h("h1", null, name || say("evening.your-table")),
      h("a", { class: "b", href: `/evenings/${encodeURIComponent(id)}?lang=${lang}` }, say("evening.standings"))),
    lost && h("p", { class: "deaf", role: "alert", "data-k": "deaf" }, say("hall.lost")),
    player ? h("div", { class: "mine", "data-k": "mine", role: "status" },
      seat ? mine(seat, lang) : say("begin.loading")) : who(state.evening),
    player > 0 && doing("stranger", null, say("evening.stranger")),
  ];
}

// who asks for the name.
function who({ one, sought, trouble }) {
  if (!one) return h("p", { class: "said", role: "status" }, trouble || say("begin.loading"));
  const found = one.people.filter(p => plain(p.name).includes(plain(sought)));
  return h("section", { "data-k": "who", "aria-label": say("evening.who") }, h("h2", null, say("evening.who")),
    one.people.length > 12 && field(say("evening.seek"),
      h("input", { class: "field", type: "search", "data-act": "seek", "data-planned": "", value: sought })),
    h("ul", { class: "names" }, found.map(p => h("li", { "data-k": "p" + p.n },
      doing("choose", { "data-player": p.n }, p.name)))));
}

function mine(s, lang) {
  const at = s.standing;
  return [
    h("p", { class: "me" }, h("b", null, s.player),
      s.round > 0 && h("span", null, say("evening.round", { n: s.round }))),
    now(s),
    at && h("p", { class: "rank" }, h("b", null, say("evening.rank", { n: at.rank, of: s.of })), " · ",
      say("evening.with", { points: at.points, n: at.points.toLocaleString(lang, { maximumFractionDigits: 2 }) })),
  ];
}

// now tells where the player goes, or how it ended.
function now(s) {
  if (s.over) return h("p", { class: "where" }, say("evening.is-over"));
  if (!s.round) return h("p", { class: "where" }, say("evening.wait"));
  if (!s.seated) return h("p", { class: "where" }, say(s.out ? "evening.you-left" : "evening.not-seated"));
  if (!s.opponents.length) return h("p", { class: "where" }, say("evening.your-bye"));
  return [
    h("p", { class: "where" }, h("small", null, say("evening.your-table")),
      h("strong", null, s.table || say("evening.board", { n: s.board }))),
    h("p", { class: "against" }, h("small", null, say("evening.against")), s.opponents.map(name => h("b", null, name))),
    s.place > 0 ? h("p", { class: "ended" }, outcome(s)) : s.first && h("p", { class: "first" }, say("evening.first")),
  ];
}

const outcome = s => s.place === 1 ? say(s.places.includes(1) ? "evening.shared" : "evening.won") :
  s.places.length === 1 ? say("evening.lost") : say("evening.came", { n: s.place });
