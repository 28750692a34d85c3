// The end of a match over the whole page: who won, the race, the points of the rounds, three
// moments, and what to do next.

import { button, h, icon } from "../dom.js";
import {
  paletteOf, palette, scoreFirst, seated, seatName, shape, shapesOf, winnerNames,
} from "../seats.js";
import { keeps, mine, proposal, refusal } from "../store.js";
import { label, say, says } from "../words.js";
import { teaching } from "./ask.js";
import { numbered } from "./first.js";
import { race, share } from "./race.js";
import { clock, headline, toApp, took } from "./result.js";
import { sprite } from "./sprite.js";

const LONG = 11; // letters of the winners above which they are smaller

export function end(state) {
  const { view: v } = state.live;
  const result = state.result?.match === v.match && state.result.over ? state.result : null;
  return [
    band(state, result),
    result && h("div", { class: "result", "data-part": "end", "data-k": "result" },
      race(v, result, playedIn(result)),
      points(v, result),
      moments(v, result, state.turns),
      h("nav", { class: "share", "data-k": "share" },
        h("a", { class: "answer", href: `/matches/${v.match}?lang=${state.lang}` }, say("end.replay")),
        button("share", { class: "answer" }, say("moment.share")),
        toApp(result) && h("a", { class: "answer", href: toApp(result), "data-k": "post" }, say("end.post")),
        h("a", { class: "answer", href: "/history?lang=" + state.lang }, say("end.all")))),
  ];
}

function band(state, result) {
  const { live } = state, v = live.view, first = seated(v).find(s => s.id === v.winners[0]);
  const no = refusal();
  return h("section", { class: "win", "data-k": "win", style: first ? palette(first.colour) : {} },
    h("div", { class: "big", "aria-hidden": "true" }, v.winners.map(w => shape(shapesOf(v)[w]))),
    h("div", { class: "said" },
      h("p", null, [v.title, result?.seconds >= 60 && took(result.seconds)].filter(Boolean).join(" · ")),
      h("h2", { id: "prompt", class: winnerNames(v).length > LONG ? "long" : "" },
        headline(v, result, n => counted("b", n))),
      no ? h("p", { class: "no", role: "status", "data-k": "no" + no.n, "data-refused": "" }, no.text) :
        h("p", { class: "reason", "data-k": "reason" }, level(v)?.text ?? proposal(v)?.text ?? result?.why),
      no && teaching()),
    team(v),
    tie(state.live),
    answers(state));
}

const counted = (tag, n, more) => h(tag, { class: "count", style: { "--count": n }, ...more }, n);

function team(v) {
  const zones = v.seats.find(s => s.id === v.winners[0])?.zones ?? {};
  const cards = ["left", "active", "right", "play"].flatMap(name => zones[name] ?? []).filter(c => c.card !== null);
  return h("div", { class: "team", "aria-hidden": "true" }, cards.slice(0, 3).map(c => sprite(c.card)));
}

const level = v => v.prompts.find(p => ["tie", "winner", "together"].includes(p.key));

// tie draws what decides between those who are level: their other counters, and who has won.
function tie({ view: v, writes }) {
  const p = writes && level(v);
  if (!p) return null;
  return h("div", { class: "answers tie", "data-k": "tie" },
    v.winners.flatMap(id => scoreFirst(v.seats.find(s => s.id === id)?.counters ?? {}).slice(1).map(([c, n]) =>
      button("number", {
        class: "answer", "data-k": id + c, "data-seat": id, "data-what": c, "data-value": n, "aria-haspopup": "dialog",
      }, says(seatName(v, id), `${label(v, "counter", c)} ${n}`)))),
    p.options.map(o => button("input", { class: "answer", "data-k": o.input, "data-input": o.input }, o.text)));
}

// answers draws what to do next: what a hall proposes, the rematch, another match, undo.
function answers({ live }) {
  const v = live.view, list = v.prompts.flatMap(p => p.options), of = input => list.find(o => o.input === input);
  const seated = proposal(v)?.options.find(o => o.key === "seated");
  const ways = [
    live.writes && seated && ["input", { "data-input": seated.input }, seated.text],
    live.writes && ["order", { "data-do": "rematch" }, of("table choose rematch")?.text ?? say("menu.rematch")],
    keeps() && ["open", { "data-open": "begin" }, say("menu.other")],
  ].filter(Boolean);
  const seat = mine() ?? (v.turn || v.seats[0]?.id) ?? "table";
  return h("div", { class: "answers" },
    ways.map(([act, more, text], i) =>
      numbered(i + 1, act, { class: "answer" + (i ? "" : " primary"), ...more }, text)),
    live.writes && button("input", { class: "answer ghost", "data-input": seat + " undo" },
      icon("back", "M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3"), h("span", null, say("key.undo"))));
}

// playedIn returns the points of a seat in a round, without those that are told apart.
const playedIn = ({ apart = [] }) => (r, seat) => r.points[seat] === undefined ? undefined :
  apart.filter(a => a.round === r.round).reduce((n, a) => n - (a.points[seat] ?? 0), r.points[seat]);

const signed = n => n === undefined ? "" : n < 0 ? "−" + -n : n;

function points(v, result) {
  const { rounds, apart = [], label, sides, counter } = result, own = playedIn(result);
  const totals = rounds.at(-1)?.totals ?? {}, rows = counter ? sides : sides.filter(([seat]) => seat in totals);
  const list = rounds.filter((r, i) => i < rounds.length - 1 || rows.some(([seat]) => own(r, seat)));
  if (!rows.length) return null;
  const total = seat => counter ? result.seats.find(s => s.seat === seat).value : totals[seat];
  const most = of => Math.max(...rows.map(([seat]) => of(seat) ?? -Infinity));
  const best = (of, seat) => of(seat) && of(seat) === most(of) ? "best" : "";
  const cell = (of, seat, k) => h("td", { "data-k": k, class: best(of, seat) }, signed(of(seat)));
  const title = result.scored ? say("end.points") : label || result.course.label;
  const last = say(counter ? "end.total" : "end.left");
  return h("section", { class: "box points" + (rows.length > 5 ? " many" : ""), "data-k": "points" },
    h("h3", null, title),
    h("div", { class: "sheet", tabindex: 0, role: "region", "aria-label": title }, h("table", null,
      list.length > 1 && h("thead", null, h("tr", null, h("td", null),
        list.map(r => h("th", { scope: "col", "data-k": "r" + r.round }, say("moment.column", { n: r.round }))),
        apart.map(a => h("th", { scope: "col", "data-k": a.event }, a.label)),
        h("th", { scope: "col", "data-k": "total" }, last))),
      h("tbody", null, rows.map(side => h("tr", { "data-k": side[0], style: paletteOf(v, side[0]) },
        h("th", { scope: "row" }, h("span", null, side.map(id =>
          [shape(shapesOf(v)[id]), h("b", null, seatName(v, id))]))),
        list.length > 1 && list.map(r => cell(seat => own(r, seat), side[0], "r" + r.round)),
        apart.map(a => cell(seat => a.points[seat] ?? 0, side[0], a.event)),
        counted("td", total(side[0]), { class: "total count", "data-k": "total" })))))));
}

// moments draws the turning points, or what the rules find instead.
function moments(v, result, turns) {
  const moves = turns.match === v.match && turns.moves.length ? turns.moves : result.moves, top = share(v, result);
  if (!moves.length && !top) return null;
  const title = say("end.moments", { n: moves.length });
  return h("section", {
    class: "box moments", "data-k": "moments", tabindex: 0, role: "region", "aria-label": title,
  },
    moves.length > 0 && h("h3", null, title),
    h("ol", null, moves.map(m => h("li", { "data-k": "m" + m.n, style: paletteOf(v, m.seat) },
      h("b", null, m.odds || [
        m.round > 0 && result.rounds.length > 1 && say("page.round", { n: m.round }), clock(m.second),
      ].filter(Boolean).join(" · ")),
      h("span", null, m.text)))),
    top && h("div", { class: "goal", "data-k": "goal" },
      h("h3", null, top.title),
      h("ul", null, top.parts.map(([seat, n]) => h("li", {
        "data-k": seat, style: { ...paletteOf(v, seat), "--part": n },
      }, shape(shapesOf(v)[seat]), h("i"), h("b", null, say("end.percent", { n })))))));
}
