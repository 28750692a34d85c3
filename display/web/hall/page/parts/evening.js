// One evening: the round, the standings, and for who may change it, all of that.

import { h } from "../dom.js";
import { say } from "../words.js";
import { about, doing, field, minutes, stand } from "./evenings.js";
import { head } from "./hall.js";
import { pairing } from "./pairing.js";
import { left } from "./result.js";

export function evening(state) {
  const { evening: { id, one, keep, trouble, done, round, tables, games }, lost, lang, wall, rotate } = state;
  const here = "/evenings/" + encodeURIComponent(id);
  const said = text => h("p", { class: "said", role: "status", tabindex: -1, "data-k": "said" }, text);
  if (!one) return said(trouble || say("begin.loading"));
  const n = Math.min(round, one.round) || one.round; // the draw of the shown one may be undone
  const name = player => one.people[player - 1].name, may = keep && !rotate && !one.damage;
  const pairings = n ? one.rounds[n - 1].pairings : [];
  return [
    head(one.name, rotate, { now: wall, lang, left: countdown(one, wall) },
      h("span", { "data-k": "about" }, about(one, games, lang), " · ", stand(one)),
      h("a", { class: "b", href: here + "/seat?lang=" + lang }, say("evening.your-table")),
      doing("print", null, say("evening.print"))),
    lost && h("p", { class: "deaf", role: "alert", "data-k": "deaf" }, say("hall.lost")),
    one.damage > 0 && h("p", { class: "deaf", role: "alert", "data-k": "damage" },
      say("evening.damage", { n: one.damage })),
    said(trouble),
    one.aside.length > 0 && !rotate && h("section", {
      class: "doubts", "data-k": "aside", "aria-label": say("evening.aside"),
    }, one.aside.map(d => doubt(d, may))),
    h("div", { class: "two", "data-k": "two" },
      h("section", { class: "box", "data-k": "standings" },
        h("h2", { class: "cap" }, say("evening.standings")), standings(one, name, lang)),
      h("section", { class: "box", "data-k": "round", "aria-label": say("evening.pairings") },
        h("div", { class: "line rounds" },
          h("h2", { class: "cap" }, n ? say("evening.round", { n }) : say("evening.pairings")),
          !rotate && one.rounds.length > 1 && one.rounds.map(({ round: r }) => doing("show",
            { "data-round": r, "data-k": "r" + r }, r, { class: "chip", "aria-pressed": String(r === n) }))),
        n ? h("ol", { class: "tables", "data-k": "list" },
          pairings.map((p, i) => pairing(one, n, i + 1, p, name, may, done, tables))) :
          h("p", { class: "sub" }, say("evening.not-begun")),
        may && h("div", { class: "line steps", "data-k": "steps" }, steps(one, done)))),
    may && h("div", { class: "two even", "data-k": "lists" }, people(one, done), places(one, tables, done)),
    h("p", { class: "line files", "data-k": "files" },
      h("a", { class: "b", href: here + "/standings.csv" }, say("evening.standings-csv")),
      h("a", { class: "b", href: here + "/pairings.csv" }, say("evening.pairings-csv")),
      h("a", { class: "b", href: here + "/journal" }, say("evening.journal"))),
  ];
}

// countdown tells how much time the running round has left.
function countdown(one, now) {
  const { ends } = one.rounds.at(-1) ?? {};
  return ends && !one.over && one.missing > 0 && h("b", { class: "countdown", role: "timer", "data-k": "left" },
    left(ends, now) || say("evening.time-over"));
}

// formKey is the key of a form. It changes, and so empties the form, each time that the
// form has done its work.
const formKey = (done, what) => what + " " + (done[what] ?? 0);

const main = is => is && { class: "b main" };

// steps offers what can be done next.
function steps(one, done) {
  return [
    !one.over && !one.last && one.format !== "free" &&
      doing("next", { "data-round": one.round + 1 }, say("evening.next", { n: one.round + 1 }), main(!one.missing)),
    !one.over && one.format === "free" && doing("pair",
      { class: "pair", "data-round": one.round + 1, "data-k": formKey(done, "pair") },
      say("evening.next", { n: one.round + 1 }), main(true),
      field(say("evening.pair"), h("textarea", {
        class: "field", name: "text", rows: 3, required: true, placeholder: say("evening.pair-hint"),
      }))),
    !one.over && one.round > 0 && one.missing > 0 && doing("clock",
      { class: "row", "data-k": formKey(done, "clock") }, say("evening.set-clock"), null,
      field(say("evening.minutes-left"), minutes(one.minutes || 50))),
    one.undo && doing("undo", { "data-seq": one.seq }, say("evening.undo-" + one.undo)),
    one.redo && doing("redo", { "data-seq": one.seq }, say("evening.redo")),
    one.over ? doing("open", null, say("evening.open")) :
      doing("end", null, say("evening.end"), main(one.last && !one.missing)),
  ];
}

// doubt draws a result that was set aside.
function doubt(d, may) {
  const nameOf = name => name.startsWith("?") ? say("evening.nobody") : name;
  const said = d.names.map((name, i) => [d.places[i], nameOf(name), d.scores[i]])
    .sort((a, b) => a[0] - b[0])
    .map(([place, name, score]) => `${place}. ${name}` + (score === undefined ? "" : ` (${score})`)).join(", ");
  return h("div", { class: "doubt", "data-k": "d" + d.n },
    h("p", null, h("b", null, say("evening.tells", { table: d.table })), " ", said),
    h("p", { class: "sub" }, say("evening.why-" + d.why, { n: d.round })),
    may && h("div", { class: "row" }, d.round > 0 && doing("accept", { "data-n": d.n }, say("evening.accept")),
      doing("dismiss", { "data-n": d.n }, say("evening.dismiss"))));
}

function standings(one, name, lang) {
  const number = value => value.toLocaleString(lang, { maximumFractionDigits: 2 });
  return h("table", { class: "standings" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "#"), h("th", { scope: "col" }, say("evening.player")),
      h("th", { scope: "col" }, say("evening.rounds")), h("th", { scope: "col" }, say("evening.points")),
      one.tiebreaks.map(by => h("th", { scope: "col", title: say("evening.about-" + by) }, say("evening.by-" + by))))),
    h("tbody", null, one.standings.map(s => h("tr", {
      "data-k": "p" + s.player, class: one.people[s.player - 1].out && "out",
    }, h("td", null, h("i", { class: s.rank === 1 && "on" }, s.rank)), h("th", { scope: "row" }, name(s.player)),
    h("td", null, h("span", { class: "marks" }, one.rounds.map(r => mark(r, s.player)))),
    h("td", null, h("b", null, number(s.points))),
    s.tiebreak.map(value => h("td", null, value === null ? "–" : number(value)))))));
}

// mark draws how a player came off in a round.
function mark({ pairings }, player) {
  const p = pairings.find(p => p.players.includes(player)), at = p?.players.indexOf(player), r = p?.result;
  const how = !p || p.players.length < 2 ? "none" : !r ? "open" : r.places[at] > 1 ? "lost" :
    r.places.filter(place => place === 1).length > 1 ? "drawn" : "won";
  return h("i", { class: how === "won" ? "on" : how },
    say("evening.mark-" + how));
}

// people lists the players, with a form for those who come.
function people(one, done) {
  return h("details", { class: "box", "data-k": "people", open: one.round === 0 },
    h("summary", null, say("evening.players", { n: one.people.length })),
    !one.over && doing("join", { class: "row", "data-k": formKey(done, "players") }, say("evening.add"), null,
      field(say("evening.names"), h("textarea", { class: "field", name: "names", rows: 2, required: true }))),
    h("ol", { class: "people" }, one.people.map(p => h("li", { "data-k": p.n + "." + p.name, class: p.out && "out" },
      doing("rename", { "data-player": p.n }, say("evening.save"), null, h("input", {
        class: "field", name: "name", value: p.name, maxlength: 24, required: true, autocomplete: "off",
        "aria-label": say("evening.rename", { name: p.name }),
      })),
      doing(p.out ? "back" : "out", { "data-player": p.n }, say(p.out ? "evening.back" : "evening.out"))))));
}

// places lists the tables that are used, and offers those that the hall hears.
function places(one, tables, done) {
  const used = one.tables.filter(t => !t.out), free = tables.filter(t => !used.some(u => u.name === t.table));
  return h("details", { class: "box", "data-k": "places", open: one.round === 0 },
    h("summary", null, say("evening.table-count", { n: used.length })),
    h("ul", { class: "chips" }, used.map(t => h("li", { "data-k": t.name },
      doing("drop", { "data-name": t.name }, t.name + " ×",
        { "aria-label": say("evening.drop", { name: t.name }) })))),
    free.length > 0 && h("p", { class: "sub", "data-k": "offer" }, say("evening.offer")),
    h("ul", { class: "chips", "data-k": "free" }, free.map(t => h("li", { "data-k": t.table },
      doing("use", { "data-names": t.table }, "+ " + t.table,
        { "aria-label": say("evening.use", { name: t.table }) })))),
    doing("use", { class: "row", "data-k": formKey(done, "tables") }, say("evening.add"), null, field(
      say("evening.more-tables"), h("input", { class: "field", name: "names", required: true, autocomplete: "off" }))));
}
