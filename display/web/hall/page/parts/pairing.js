// A pairing of an evening, with its result and what changes it.

import { h } from "../dom.js";
import { nameKey } from "../plain.js";
import { say } from "../words.js";
import { doing, pick } from "./evenings.js";

export function pairing(one, round, board, p, name, may, done, tables) {
  const bye = p.players.length < 2, r = p.result, on = !bye && !r && playedAt(tables, p, name);
  return h("li", { "data-k": `${round}.${board}`, class: bye ? "bye" : r ? "over" : "" },
    h("div", { class: "table" },
      h("h3", null, bye ? say("evening.bye") : p.table || say("evening.board", { n: board })),
      h("ol", { class: "seats" }, p.players.map((n, i) => seat(name(n), r, i, on && on.seats.find(has(name(n)))))),
      p.games && h("p", { class: "sub" }, say("evening.series", {
        wins: p.players.map((_, i) => p.games.filter(g => g.places[i] === 1 && g.places[1 - i] > 1).length).join("–"),
      })),
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

// mend enters or corrects the result; in the running round players and tables change, too.
function mend(one, round, board, p, name, done) {
  const of = { "data-round": round, "data-board": board }, [first, second] = p.players;
  const ended = (key, places, label) => doing("result", { ...of, "data-places": places, "data-k": key }, label);
  return h("details", { class: "change", "data-k": "change" + (done[`${round}.${board}`] ?? 0) },
    h("summary", null, say(p.result ? "evening.correct" : "evening.enter")),
    p.players.length === 2 ? h("div", { class: "row" },
      ended("first", "1,2", say("evening.wins", { name: name(first) })),
      one.format !== "knock-out" && ended("draw", "1,1", say("evening.draw")),
      ended("second", "2,1", say("evening.wins", { name: name(second) }))) :
      doing("result", { class: "ranks", ...of }, say("evening.save"), null, p.players.map((n, i) =>
        pick("place " + i, name(n), p.players.map((_, k) => [k + 1, say("evening.place", { n: k + 1 })]),
          p.result?.places[i] ?? i + 1))),
    p.result && ended("none", "", say("evening.no-result")),
    round === one.round && !p.result && exchange(one, of, p, name));
}

// exchange lets a player and somebody else change places, and moves the pairing.
function exchange(one, of, p, name) {
  const free = one.tables.filter(t => !t.out && t.name !== p.table);
  const others = one.people.filter(q => !q.out && !p.players.includes(q.n));
  return [
    others.length > 0 && doing("swap", { class: "row", ...of }, say("evening.exchange"), null,
      pick("player", say("evening.swap"), p.players.map(n => [n, name(n)])),
      pick("other", say("evening.swap-with"), others.map(q => [q.n, q.name]))),
    free.length > 0 && doing("move", { class: "row", ...of }, say("evening.exchange"), null,
      pick("name", say("evening.move"), free.map(t => [t.name, t.name]))),
  ];
}
