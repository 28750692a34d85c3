// A pairing of an evening, with its result and what changes it.

import { h } from "../dom.js";
import { nameKey } from "../plain.js";
import { say } from "../words.js";

export function pairing(one, round, board, p, name, may, done, tables) {
  const bye = p.players.length < 2, r = p.result, on = !bye && !r && playedAt(tables, p, name);
  return h("li", { "data-k": `${round}.${board}`, class: bye ? "bye" : r ? "over" : "" },
    h("div", { class: "table" },
      h("h3", null, bye ? say("evening.bye") : p.table || say("evening.board", { n: board })),
      h("ol", { class: "seats" }, p.players.map((n, i) => seat(name(n), r, i, on && on.seats.find(has(name(n)))))),
      on && h("p", { class: "sub" }, on.round > 0 ? say("evening.on-round", { n: on.round }) : say("evening.on")),
      r?.hand && h("p", { class: "sub" }, say("evening.by-hand")),
      may && !bye && !one.over && mend(one, round, board, p, name, done)));
}

const has = name => seat => nameKey(seat.name ?? "") === nameKey(name);

// playedAt returns the table at which exactly these players are playing now.
const playedAt = (tables, p, name) => tables.find(t => t.table === p.table && t.here && t.match !== null &&
  !t.winners.length && t.seats.length === p.players.length && p.players.every(n => t.seats.some(has(name(n)))));

function seat(name, r, i, now) {
  const won = r?.places[i] === 1;
  return h("li", { class: won ? "won" : "" }, h("span", null, name),
    now && now.score !== null && h("b", null, now.score),
    r && h("b", null, r.scores.length ? r.scores[i] : say("evening.place", { n: r.places[i] }),
      r.scores.length > 0 && h("span", { class: "unseen" }, " " + say("evening.place", { n: r.places[i] }))));
}

const act = (name, data, label, key) => h("form", { "data-act": name, ...data, "data-k": key ?? name },
  h("button", { class: "b" }, label));

// mend enters or corrects the result; in the running round players and tables change, too.
function mend(one, round, board, p, name, done) {
  const of = { "data-round": round, "data-board": board };
  const [first, second] = p.players;
  return h("details", { class: "change", "data-k": "change" + (done[`${round}.${board}`] ?? 0) },
    h("summary", null, say(p.result ? "evening.correct" : "evening.enter")),
    p.players.length === 2 ? h("div", { class: "row" },
      act("result", { ...of, "data-places": "1,2" }, say("evening.wins", { name: name(first) }), "first"),
      one.format !== "knock-out" && act("result", { ...of, "data-places": "1,1" }, say("evening.draw"), "draw"),
      act("result", { ...of, "data-places": "2,1" }, say("evening.wins", { name: name(second) }), "second")) :
      h("form", { class: "ranks", "data-act": "result", ...of }, p.players.map((n, i) =>
        h("label", { class: "named" }, h("span", null, name(n)), h("select", { class: "field", name: "place " + i },
          p.players.map((_, k) => h("option", { value: k + 1, selected: (p.result?.places[i] ?? i + 1) === k + 1 },
            say("evening.place", { n: k + 1 })))))),
      h("button", { class: "b" }, say("evening.save"))),
    p.result && act("result", { ...of, "data-places": "" }, say("evening.no-result"), "none"),
    round === one.round && !p.result && exchange(one, of, p, name));
}

// exchange lets a player and somebody else change places, and moves the pairing.
function exchange(one, of, p, name) {
  const free = one.tables.filter(t => !t.out && t.name !== p.table);
  const others = one.people.filter(q => !q.out && !p.players.includes(q.n));
  return [
    others.length > 0 && h("form", { class: "row", "data-act": "swap", ...of, "data-k": "swap" },
      pick("player", say("evening.swap"), p.players.map(n => [n, name(n)])),
      pick("other", say("evening.swap-with"), others.map(q => [q.n, q.name])),
      h("button", { class: "b" }, say("evening.exchange"))),
    free.length > 0 && h("form", { class: "row", "data-act": "move", ...of, "data-k": "move" },
      pick("name", say("evening.move"), free.map(t => [t.name, t.name])),
      h("button", { class: "b" }, say("evening.exchange"))),
  ];
}

const pick = (name, label, options) => h("label", { class: "named" }, h("span", null, label),
  h("select", { class: "field", name }, options.map(([value, text]) => h("option", { value }, text))));
