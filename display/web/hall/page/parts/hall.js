// All tables of a hall.

import { h } from "../dom.js";
import { plain } from "../plain.js";
import { palette, shape, shapesOf } from "../seats.js";
import { local, moment, say } from "../words.js";
import { lasted, seeking } from "./past.js";

const LONG = 300; // seconds of waiting that stand out

export function hall({ hall: known, lost, now, lang, rotate }) {
  const { tables, listening, since, why, keep, said, aside, sought, ahead } = known;
  const all = [...tables?.values() ?? []], clock = { now: now + ahead, lang };
  const titles = [...new Set(all.map(t => t.title).filter(Boolean))].sort((a, b) => a.localeCompare(b, lang));
  const order = orders[sought.sort] ?? byName;
  const found = all.filter(t => t.call || fits(t, sought)).sort((a, b) => first(a, b) || order(a, b));
  const deaf = lost ? say("hall.lost") : tables && !listening && say("hall.deaf", { time: moment(since, clock.now) });
  return [
    head(tables ? say("hall.count", { n: all.length, playing: all.filter(isPlaying).length }) : say("hall.title"),
      rotate, clock),
    deaf && h("p", { class: "deaf", role: "alert", "data-k": "deaf" },
      deaf + (why && !lost ? ". " + why : "")),
    !rotate && all.length > 0 && h("section", { class: "line seek", "data-k": "seek", "aria-label": say("hall.seek") },
      seeking(sought, say("hall.text")),
      choice("game", sought, [["", say("hall.all-games")], ...titles.map(t => [t, t])]),
      choice("show", sought, ["", ...Object.keys(shows)].map(one => [one, say("hall.show-" + (one || "all"))])),
      choice("sort", sought, ["", ...Object.keys(orders)].map(one => [one, say("hall.sort-" + (one || "name"))]))),
    h("p", { class: "said", role: "status", "data-k": "said" }, !tables ? say("begin.loading") :
      all.length === 0 ? say("hall.nobody") : found.length === 0 ? say("hall.none") :
        found.length < all.length && say("hall.found", { n: found.length, of: all.length })),
    h("ol", { class: "tables", "data-k": "list" }, found.map(t => table(t, clock, since, keep))),
    keep && !rotate && all.length > 0 && message(all, said),
    aside.n > 0 && h("p", { class: "sub", "data-k": "aside" }, say("hall.aside", { n: aside.n, topic: aside.topic })),
  ];
}

// head draws the title with what else can be done, and on a projector with the time.
export const head = (title, rotate, { now, lang, left }, sub, ...more) => h("div", { class: "head", "data-k": "head" },
  h("div", null, h("h1", null, title), sub && h("p", { class: "sub" }, sub)),
  left,
  rotate ? h("p", { class: "clock" }, new Date(now).toLocaleTimeString(local(lang), { timeStyle: "short" })) : more,
  h("form", { "data-act": rotate ? "leave" : "project" },
    h("button", { class: "b" }, say(rotate ? "hall.leave" : "hall.project"))));

// message draws the form for a message to one table or to all, and whether the last was sent.
const message = (all, said) => h("details", { class: "box", "data-k": "message" },
  h("summary", null, say("hall.message")),
  h("form", { class: "line message", "data-act": "tell" },
    h("input", { class: "field", name: "text", maxlength: 200, required: true, autocomplete: "off",
      placeholder: say("hall.text-of"), "aria-label": say("hall.text-of") }),
    h("select", { class: "field", name: "table", "aria-label": say("hall.to") },
      h("option", { value: "" }, say("hall.show-all")),
      all.map(t => t.table).sort().map(name => h("option", { value: name, "data-k": name }, name))),
    h("button", { class: "b" }, say("hall.send")), h("p", { role: "status" }, said)));

// call draws since when people call, and for keepers that somebody comes.
const call = (t, clock, keep) => h("form", {
  class: "call", "data-k": "call", "data-act": "come", "data-table": t.table, "data-call": t.call,
}, h("p", { role: "alert" }, say("hall.calls", { time: moment(called(t), clock.now) })),
keep && h("button", { class: "b", "aria-label": say("hall.come") + " · " + t.table }, say("hall.come")));

// called returns since when people call, by the hall's clock; t.call is by the table's.
const called = t => Date.parse(t.call) - 1000 * t.ahead;

// first sorts tables that call before others, and by how long they have.
const first = (a, b) => (b.call !== null) - (a.call !== null) || (a.call === null ? 0 : called(a) - called(b));

const choice = (by, sought, options) => h("select", {
  class: "field", "data-act": "seek", "data-by": by, "aria-label": say("hall." + by),
}, options.map(([value, text]) => h("option", { value, selected: value === sought[by], "data-k": "o" + value }, text)));

const isOver = t => t.winners.length > 0;
const isPlaying = t => t.here && t.match !== null && !isOver(t);
const ill = t => t.health.filter(p => p.health !== "ok");

const shows = {
  playing: isPlaying, free: t => t.here && t.match === null, over: isOver,
  trouble: t => !t.here || ill(t).length > 0 || t.ahead !== 0,
};

const fits = (t, { text, game, show }) => (!game || t.title === game) && (shows[show]?.(t) ?? true) &&
  plain([t.table, t.title, ...t.seats.map(nameOf)].join(" ")).includes(plain(text));

const byName = (a, b) => a.table.localeCompare(b.table, "en", { numeric: true });
const asked = t => t.here && t.since && !isOver(t) ? Date.parse(t.since) : Infinity;
const orders = {
  longest: (a, b) => asked(a) === asked(b) ? byName(a, b) : asked(a) - asked(b),
  game: (a, b) => a.title.localeCompare(b.title) || byName(a, b),
  round: (a, b) => b.round - a.round || byName(a, b),
};

const nameOf = s => s.name || say("seat." + s.id);

function table(t, clock, since, keep) {
  const href = "/tables/" + encodeURIComponent(t.table) + "?lang=" + clock.lang;
  return h("li", {
    "data-k": t.table, class: (!t.here ? "gone" : t.match === null ? "free" : "") + (t.call ? " calls" : ""),
  },
  t.call && call(t, clock, keep),
  h(t.known ? "a" : "div", { class: "table", href: t.known && href },
    h("div", { class: "what" },
      h("h2", null, t.table), h("span", null, t.title),
      t.round > 0 && h("b", null, say("past.round", { n: t.round + (t.rounds > 0 ? "/" + t.rounds : "") }))),
    t.seats.length > 0 && h("ul", { class: "seats", title: t.score }, t.seats.map(s => seat(t, s))),
    h("p", { class: t.here ? "now" : "now silent" }, t.here ? goingOn(t, clock) : gone(t, clock, since)),
    t.ahead !== 0 && h("p", { class: "ill", "data-k": "clock" },
      say(t.ahead < 0 ? "hall.behind" : "hall.ahead", { time: lasted(Math.abs(t.ahead)) })),
    ill(t).map(p => h("p", { class: "ill", "data-k": "ill-" + p.part }, h("b", null, p.part), " ",
      p.reason || say("hall.broken")))));
}

function seat(t, s) {
  const won = t.winners.includes(s.id), isAsked = t.here && !isOver(t) && t.asked.some(q => q.seat === s.id);
  return h("li", {
    "data-k": s.id, class: [isAsked && "is-asked", won && "won"].filter(Boolean).join(" "), style: palette(s.colour),
  }, shape(shapesOf(t)[s.id]), h("span", null, nameOf(s)),
  isAsked && h("span", { class: "unseen" }, say("hall.asked")), won && h("span", { class: "unseen" }, say("past.won")),
  s.score !== null && h("b", null, s.score));
}

const gone = (t, clock, since) => t.heard ? say("hall.gone", { time: moment(t.heard, clock.now) }) :
  say("hall.never", { time: moment(since, clock.now) });

// goingOn tells who won, or who is asked, what, and for how long.
function goingOn(t, { now }) {
  if (isOver(t)) return say("hall.over");
  const [first] = t.asked;
  if (t.match === null || !first) return t.match === null ? say("hall.free") : "";
  const seconds = Math.max(0, (now - Date.parse(t.since)) / 1000);
  return [h("span", null, first.text),
    seconds >= 60 && h("b", { class: seconds >= LONG && "plate" },
      say(t.longer ? "hall.at-least" : "hall.for", { time: lasted(seconds) }))];
}
