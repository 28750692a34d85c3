// The players, what is known of each, and charts that nobody needs colours for.

import { h } from "../dom.js";
import { plain } from "../plain.js";
import { palette, shape, shapeOf } from "../seats.js";
import { say, says } from "../words.js";
import { lasted } from "./past.js";

export function players({ people: { list, stats, games, sought, trouble, said, keep, hall, removal }, lang }) {
  const title = name => games.find(g => g.name.split("/")[0] === name.split("/")[0])?.title ?? name;
  const look = { title, lang, keep, of: name => list.find(p => p.name === name) };
  const shown = (list ?? []).filter(p => plain(p.name).includes(plain(sought)));
  return [
    h("header", { "data-k": "head" },
      h("h1", null, say("players.title")),
      h("a", { href: "/history?lang=" + lang }, say("past.title")),
      h("a", { href: "/?lang=" + lang }, say(hall ? "past.hall" : "past.table"))),
    h("p", { class: "said", role: "status", tabindex: -1, "data-k": "said" }, trouble || said ||
      (list ? say("players.count", { n: list.length, of: stats.matches }) : say("begin.loading"))),
    removal?.all > 0 && removing(removal),
    stats?.matches > 0 && [wins(stats, look), rated(stats, look)],
    list?.length > 0 && [
      h("section", { class: "seek", "data-k": "seek" }, h("label", null, h("span", null, say("past.player")),
        h("input", { type: "search", "data-act": "seek", "data-planned": "", value: sought }))),
      h("datalist", { id: "names", "data-k": "names" }, list.map(p => h("option", { value: p.name }))),
      h("ol", { class: "people", "data-k": "people" }, shown.map(p => person(p, stats, look))),
    ],
    stats?.games.length > 0 && h("section", { class: "panel", "data-k": "games" },
      h("h2", null, say("players.games")), wide("games", gameTable(stats, look))),
  ];
}

function removing({ name, done, all }) {
  const far = say("players.removing", { name, n: done, of: all });
  return h("form", { class: "panel removing", "data-act": "stop", tabindex: -1, "data-k": "removing" },
    h("p", null, far), h("progress", { value: done, max: Math.max(1, all), "aria-label": far }),
    h("button", { class: "answer" }, say("players.stop")));
}

const part = (a, b) => b ? say("players.percent", { n: Math.round(100 * a / b) }) : "–";
const clock = s => s < 60 ? say("players.seconds", { n: Math.round(s) }) : lasted(s);

const LINES = 8; // players in the chart of wins, each with its own dashes

const badge = p => h("span", { class: "badge", style: p.colour ? palette(p.colour) : {} }, shape(shapeOf(p.seat)));

// wins draws the wins of those who played most, one step for each.
function wins({ players }, { of, lang }) {
  const shown = [...players].sort((a, b) => b.played - a.played).slice(0, LINES).filter(p => of(p.name));
  const days = [...new Set(shown.flatMap(p => p.days.map(d => d.day)))].sort();
  if (!days.length) return null;
  const most = Math.max(1, ...shown.map(p => p.won)), last = days.length;
  const at = new Map(days.map((day, i) => [day, (i + 1) / last * 1000]));
  const y = n => (196 - n / most * 190).toFixed(1);
  const path = p => {
    let won = 0;
    return "M0 196" + p.days.map(d => `H${at.get(d.day).toFixed(1)}V${y(won += d.won)}`).join("") + "H1000";
  };
  const date = day => new Date(day + "T12:00").toLocaleDateString(lang, { dateStyle: "medium" });
  return h("figure", { class: "panel", "data-k": "wins" },
    h("figcaption", null, h("h2", null, say("players.wins"))),
    h("div", { class: "plot" },
      h("span", { class: "top" }, most), h("span", { class: "bottom" }, 0),
      h("svg", { viewBox: "0 0 1000 200", preserveAspectRatio: "none", "aria-hidden": "true" },
        h("path", { class: "grid", d: `M0 ${y(0)}H1000M0 ${y(most)}H1000M0 ${y(most / 2)}H1000` }),
        shown.map((p, i) => h("path", { class: "line n" + i, d: path(p), style: palette(of(p.name).colour) })))),
    h("p", { class: "ends" }, h("span", null, date(days[0])), last > 1 && h("span", null, date(days.at(-1)))),
    h("ul", { class: "legend" }, shown.map((p, i) => h("li", { "data-k": p.name, style: palette(of(p.name).colour) },
      h("svg", { class: "dash", viewBox: "0 0 44 8", "aria-hidden": "true" },
        h("path", { class: "line n" + i, d: "M1 4H43" })),
      shape(shapeOf(of(p.name).seat)), h("b", null, p.name), " ", say("players.won-of", { n: p.won, of: p.played })))));
}

// rated draws each rating with the range in which it is 19 times of 20.
function rated({ players }, { of }) {
  const shown = players.filter(p => p.rating && of(p.name)).slice(0, 12);
  if (shown.length < 2) return null;
  const low = Math.min(...shown.map(p => p.rating - 2 * p.deviation));
  const high = Math.max(...shown.map(p => p.rating + 2 * p.deviation));
  const x = n => ((n - low) / (high - low) * 980 + 10).toFixed(1);
  return h("figure", { class: "panel", "data-k": "rated" },
    h("figcaption", null, h("h2", null, say("players.rating")), h("p", null, say("players.rating-help"))),
    h("ul", { class: "ratings" }, shown.map(p => h("li", { "data-k": p.name, style: palette(of(p.name).colour) },
      h("span", { class: "who" }, shape(shapeOf(of(p.name).seat)), h("b", null, p.name)),
      h("svg", { class: "range", viewBox: "0 0 1000 24", preserveAspectRatio: "none", "aria-hidden": "true" },
        h("path", { class: "grid", d: "M0 12H1000" }),
        h("path", {
          class: "line", d: `M${x(p.rating - 2 * p.deviation)} 5V19M${x(p.rating - 2 * p.deviation)} 12` +
            `H${x(p.rating + 2 * p.deviation)}M${x(p.rating + 2 * p.deviation)} 5V19`,
        }),
        h("path", { class: "point", d: `M${x(p.rating)} 2V22` })),
      h("span", { class: "number" }, Math.round(p.rating), h("small", null, " ± ", Math.round(2 * p.deviation)))))));
}

// person draws a player: one line, and all the rest below it.
function person(p, stats, look) {
  const s = stats.players.find(s => s.name === p.name);
  return h("li", { "data-k": p.name },
    h("details", null,
      h("summary", null, badge(p), h("b", null, p.name), h("span", null, played(p, s)),
        s && bar(s), s?.rating > 0 && h("span", { class: "number" }, Math.round(s.rating))),
      h("div", { class: "inside" },
        h("p", null, say("players.last", {
          day: new Date(p.last).toLocaleDateString(look.lang, { dateStyle: "medium" }), game: look.title(p.game),
        }), " ", h("a", { href: `/history?lang=${look.lang}&player=${encodeURIComponent(p.name)}` },
          say("players.show"))),
        s && [facts(s), wide("game", records(s, look)), rivals(p.name, stats.pairs)],
        look.keep && changes(p))));
}

// played says how many matches a player has, and how many were finished, to which all else refers.
const played = ({ matches }, s) => s?.played === matches ? say("players.matches", { n: matches }) :
  say("players.ended", { n: s?.played ?? 0, of: matches });

// bar draws the part of the matches that were won, and says it.
const bar = s => h("span", { class: "share" },
  h("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: "all", width: 100, height: 10 }), h("rect", { class: "won", width: 100 * s.rate, height: 10 })),
  h("span", null, say("players.won", { n: s.won, part: part(s.won, s.played) })));

const fact = (key, value) => h("div", null, h("dt", null, say("players." + key)), h("dd", null, value));
const signed = n => (n > 0 ? "+" : n < 0 ? "−" : "") + Math.abs(Math.round(n * 10) / 10);

const facts = s => h("dl", { class: "facts" },
  fact("streak", s.streak > 0 ? say("players.in-a-row", { n: s.streak }) :
    s.streak < 0 ? say("players.lost-in-a-row", { n: -s.streak }) : "–"),
  fact("longest", s.longest),
  fact("began", s.began ? say("players.began-won", { n: s.began, part: part(s.begun_won, s.began) }) : "–"),
  s.margins > 0 && fact("margin", say("players.margin-of", { n: signed(s.margin), best: signed(s.best_margin) })),
  s.turns > 0 && fact("turn", clock(s.turn_length)),
  fact("time", lasted(s.seconds)),
  s.rating > 0 && fact("rating", `${Math.round(s.rating)} ± ${Math.round(2 * s.deviation)}`));

// wide draws a table that scrolls where it has no room.
const wide = (name, table) =>
  h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": say("players." + name) }, table);

const head = keys => h("thead", null, h("tr", null, keys.map(k => h("th", { scope: "col" }, say("players." + k)))));
const line = (name, ...cells) => h("tr", { "data-k": name }, h("th", { scope: "row" }, name),
  cells.map(c => h("td", null, c)));

const besides = g => h("ul", null, g.figures.map(f => h("li", { "data-k": f.name }, figure(f))));

function records(s, { title }) {
  const more = s.games.some(g => g.figures.length);
  return h("table", null, head(["game", "played", "wins-of", "rating", ...more ? ["besides"] : []]),
    h("tbody", null, s.games.map(g => line(title(g.game), g.played, `${g.won} (${part(g.won, g.played)})`,
      g.rating ? Math.round(g.rating) : "–", ...more ? [besides(g)] : []))));
}

// figure says what a game counts besides, and the most of one match.
function figure({ label, unit, best, value, most }) {
  const text = n => unit === "seconds" ? clock(n) : unit === "luck" ? signed(n) : Math.round(n);
  return best ? says(label, text(value)) : say("players.figure", { label, n: text(value), most: text(most) });
}

// rivals draws how a player did against the others.
function rivals(name, pairs) {
  const mine = pairs.filter(p => p.a === name || p.b === name);
  return mine.length > 0 && wide("against",
    h("table", null, head(["against", "played", "won-lost", "margin"]), h("tbody", null, mine.map(p => {
      const first = p.a === name, by = first ? p.margin : -p.margin;
      const [other, won, lost] = first ? [p.b, p.a_won, p.b_won] : [p.a, p.b_won, p.a_won];
      return line(other, p.played, `${won} : ${lost}`, p.margins ? signed(by) : "–");
    }))));
}

// changes draws the forms that rename, separate and remove.
function changes(p) {
  const typed = p.typed.filter(t => t !== p.name);
  return h("div", { class: "changes" },
    typed.length > 0 && h("form", { "data-act": "separate" }, h("p", null, say("players.typed")),
      h("select", { name: "name", "aria-label": say("players.typed") }, typed.map(t => h("option", { value: t }, t))),
      h("button", { class: "answer" }, say("players.separate"))),
    h("form", { "data-act": "rename", "data-name": p.name },
      h("label", null, h("span", null, say("players.rename")),
        h("input", { name: "to", list: "names", maxlength: 24, required: true, autocomplete: "off" })),
      h("button", { class: "answer" }, say("players.change"))),
    h("details", { "data-k": "remove" }, h("summary", null, say("players.remove")),
      h("form", { "data-act": "remove", "data-name": p.name },
        h("p", null, say("players.remove-help", { name: p.name })),
        h("button", { class: "answer alarm" }, say("players.remove-now", { name: p.name })))));
}

const gameTable = ({ games }, { title }) => h("table", null,
  head(["game", "played", "length", "shortest", "turn", "beginner", "best"]),
  h("tbody", null, games.map(g => line(title(g.game), g.played, clock(g.seconds / g.played),
    clock(g.shortest) + " – " + clock(g.longest), g.turns ? clock(g.turn_length) : "–",
    part(g.begun_won, g.begun), g.players[0] ?? "–"))));
