// A replay: how the match ended, its turning points, and the film.

import { button, h } from "../dom.js";
import { paletteOf, seatName, shape, shapesOf } from "../seats.js";
import { question } from "../store.js";
import { local, say } from "../words.js";
import { rounds } from "./bar.js";
import { log } from "./opened.js";
import { chart, signs, valueAt } from "./race.js";
import { clock, headline, toApp, took } from "./result.js";
import { isUndone, percent, percents, turnsOf } from "./turns.js";

export function head({ replay, lang }) {
  const { match, views, note } = replay, { result } = match, v = views.at(-1), over = v.winners.length > 0;
  const [, table] = (match.match ?? "").split("@"); // a hall has matches of several
  const day = new Date(result.begin).toLocaleString(local(lang), { dateStyle: "medium", timeStyle: "short" });
  const facts = [over ? result.title : rounds(v), table, h("time", { datetime: result.begin }, day),
    result.seconds >= 60 && took(result.seconds)].filter(Boolean);
  return [
    h("div", { class: "ended", "data-k": "ended" },
      h("h1", null, over ? headline(v, result) : v.title),
      h("p", null, facts.map((fact, i) => [i > 0 && " · ", fact]))),
    h("ol", { class: "places", "data-k": "places" }, result.seats.map(s => h("li", {
      "data-k": s.seat, class: s.won ? "won" : "", style: paletteOf(v, s.seat),
    }, shape(shapesOf(v)[s.seat]), h("span", null, seatName(v, s.seat)), result.counter && h("b", null, s.value)))),
    h("div", { class: "line", "data-k": "tools" },
      replay.follows && newest(replay),
      replay.keep && button("noting", { class: "b", popovertarget: "noting" }, say("past.note")),
      replay.linked && share(replay, over)),
    replay.keep && h("form", { id: "noting", popover: "", "data-act": "note", "data-k": "note" + replay.noted },
      note !== null && [
        h("input", { class: "field", name: "text", value: note, maxlength: 500, autocomplete: "off",
          "aria-label": say("past.note") }),
        h("button", { class: "b" }, say("past.keep"))]),
  ];
}

// newest draws the key that goes to the newest moment, and stays there.
const newest = ({ n, views }) => button("seek", {
  class: "b newest", "data-k": "newest", "data-n": views.length - 1, "aria-pressed": String(n === views.length - 1),
}, say("replay.newest"));

// share draws what can be made of the match.
function share({ match, n }, over) {
  const base = "/matches/" + match.match, lang = "lang=" + match.lang;
  const file = (url, text, as) => h("li", null, h("a", { href: url, download: as }, text));
  return [
    h("button", { type: "button", class: "b", popovertarget: "share", "data-k": "share" }, say("replay.share")),
    h("ul", { id: "share", popover: "", "data-k": "ways" },
      over && file(`/result.png?match=${match.match}&${lang}`, say("replay.result"), match.match + ".png"),
      toApp(match) && h("li", { "data-k": "post" }, h("a", { href: toApp(match) }, say("end.post"))),
      file(`${base}.html?${lang}`, say("replay.file"), ""),
      match.animated && file(`${base}.gif?${lang}`, say("replay.gif"), ""),
      file(`${base}.png?n=${n}&${lang}`, say("replay.picture"), `${match.match}-${n}.png`),
      file(`/api/journal?match=${match.match}`, say("replay.journal"), match.match + ".journal")),
  ];
}

export const warning = ({ replay, live }) => [
  !live && !replay.trouble && h("p", { class: "note quiet", "data-k": "loading" }, say("begin.loading")),
  replay.trouble && h("p", { class: "note alarm", "data-k": "trouble" }, replay.trouble),
  live && replay.match.stopped && h("p", { class: "note alarm", "data-k": "stopped" }, say("replay.stopped")),
];

const stepOf = replay => replay.match.steps[replay.n - 1];

function caption({ live: { view: v }, replay, table }) {
  const step = stepOf(replay), seat = v.seats.find(s => s.id === (step?.seat ?? step?.event))?.id;
  const said = step?.lines?.join(" · ") || (step ? "" : say("replay.begin")), asks = next(v);
  const may = replay.keep || table?.rights.play && table.view.winners.length > 0, over = replay.views.at(-1).winners;
  const goesOn = may && table?.status.simulated && replay.chances.length > 0 && over.length > 0 && !v.winners.length;
  return h("div", { class: "told", "data-k": "told", style: paletteOf(v, seat) },
    seat && h("b", { class: "who" }, shape(shapesOf(v)[seat]), h("span", null, seatName(v, seat))),
    h("p", null, said && [h("b", null, said), " "], asks !== said && h("span", { class: "next" }, asks)),
    goesOn && button("whatIf", { class: "b", title: say("replay.what-if-hint") }, say("replay.what-if")));
}

function next(v) {
  if (v.winners.length) return headline(v);
  const asked = question(v);
  if (!asked) return "";
  const sits = v.seats.some(s => s.id === asked.seat), name = sits ? seatName(v, asked.seat) : "";
  return name && !asked.text.includes(name) ? say("replay.asks", { name, text: asked.text }) : asked.text;
}

const when = ({ round, second }) =>
  [round > 0 && say("page.round", { n: round }), clock(second)].filter(Boolean).join(" · ");

// story draws the turning points, the mistakes, or what had happened up to this moment.
export function story(state) {
  const { live: { view: v }, replay, lang } = state, { n, logs } = replay;
  const lists = { "": turningPoints(replay), better: mistakesOf(replay, lang) };
  const tab = (log, title) => button("turn", {
    "data-k": "tab" + log, "data-log": log, "aria-pressed": String(log === logs),
  }, title);
  const shown = lists[logs]?.length ? lists[logs] : null, some = Object.values(lists).some(list => list.length);
  return [
    some && h("div", { class: "sides", "data-k": "sides" },
      lists[""].length > 0 && tab("", say("replay.turns")),
      lists.better.length > 0 && tab("better", say("replay.mistakes")),
      tab("true", say("history.title"))),
    shown ? h("ul", { class: "turns", "data-k": "turns" + logs }, shown.map(m =>
      h("li", { "data-k": "m" + m.n, style: paletteOf(v, m.seat) },
        button("seek", { "data-n": m.n, "aria-current": m.n === n ? "step" : null },
          h("small", null, when(m), m.odds && h("span", { class: "swing" }, m.odds)), h("span", null, m.text),
          m.instead && h("span", { class: "next" }, m.instead))))) :
      log(state, e => ({ "data-act": "seek", "data-n": e.n })),
  ];
}

const TURNS = 6;

// turningPoints returns the greatest swings once all chances are known, until then what the rules find.
function turningPoints({ match: { moves, steps }, views, chances, known }) {
  const swings = known ? turnsOf(steps, chances, TURNS) : [];
  return swings.length ? swings.map(m => ({ ...m, round: views[m.n].round })) :
    moves.map(m => ({ ...m, odds: swing(chances, m) }));
}

const asked = (v, seat) => v.prompts.find(p => p.seat === seat)?.text;

// mistakesOf returns the answers after which somebody won fewer of the imagined matches than after another one.
const mistakesOf = ({ match: { steps }, views, chances }, lang) =>
  chances.filter(({ n, mistake }) => mistake && steps[n] && !isUndone(steps[n])).map(({ n, mistake }) => ({
    n, seat: mistake.seat, round: views[n].round, second: steps[n].second,
    odds: say("replay.lost", { given: percent(mistake.given), best: percent(mistake.best) }),
    text: say("replay.better", { answer: mistake.better[lang] }),
    instead: [asked(views[n], mistake.seat), steps[n].lines?.[0]].filter(Boolean).join(" → "),
  }));

// film draws the race over the match, and the controls.
export function film(state) {
  const { live: { view: v }, replay } = state, { views, n, playing, pace, by, match, scenes } = replay;
  const last = views.length - 1, word = say(playing ? "replay.pause" : "replay.play");
  const kinds = Object.keys(scenes).filter(kind => scenes[kind].length);
  const key = (act, args, sign, word, hint, off) => button(act, {
    class: "b", ...args, "aria-label": word, title: word + " (" + hint + ")", disabled: off,
  }, sign);
  return [
    caption(state),
    chances(replay),
    race(v, replay),
    h("div", { class: "controls", "data-k": "controls" },
      key("seek", { "data-n": 0, "data-k": "first" }, "|‹", say("replay.first"), "⇱", n === 0),
      key("step", { "data-by": -1 }, "‹", say("replay.back"), "←", n === 0),
      button("play", { class: "b main", title: word + " (" + say("replay.space") + ")" },
        playing ? "❚❚" : "▶", " ", word),
      key("step", { "data-by": 1 }, "›", say("replay.on"), "→", n === last),
      key("seek", { "data-n": last, "data-k": "last" }, "›|", say("replay.last"), "⇲", n === last),
      kinds.length > 0 && h("label", null, h("span", { class: "unseen" }, say("replay.by")),
        h("select", { class: "field", "data-act": "jumpBy" }, kinds.map(kind =>
          h("option", { value: kind, selected: kind === by }, say("replay.by-" + kind))))),
      h("div", { class: "course", style: { "--at": n / (last || 1) } },
        turningPoints(replay).map(m => h("i", {
          class: "turn", "data-k": "t" + m.n, style: { ...paletteOf(v, m.seat), "--mark": m.n / last },
        })),
        h("input", {
          type: "range", min: 0, max: last, step: 1, value: n, "data-act": "seek", "data-planned": "",
          "aria-label": say("replay.slider"), "aria-valuetext": say("replay.place", { n, of: last }),
        })),
      h("output", null, say("replay.place", { n, of: last }),
        h("small", null, when({ round: v.round, second: stepOf(replay)?.second ?? 0 }))),
      button("pace", {
        class: "b pace", title: say("replay.pace"), "aria-label": say("replay.pace") + ": ×" + pace,
      }, "×" + pace)),
  ];
}

// chanceAt returns the chance of a seat after input n, as it was imagined last before.
const chanceAt = (chances, seat, n) => chances.findLast(c => c.n <= n)?.list.find(one => one.seat === seat)?.mean;

function swing(chances, { n, seat }) {
  if (!(chances.at(-1)?.n >= n)) return null;
  const from = chanceAt(chances, seat, n - 1), to = chanceAt(chances, seat, n);
  return from === undefined || to === undefined ? null : percents(from, to);
}

// chances draws who was how likely to win, the seats on each other.
function chances({ chances: all, views, n }) {
  if (all.length < 2) return null;
  const v = views[0], last = views.length - 1, x = at => (100 * at / last).toFixed(2);
  const below = (list, i) => (100 - 100 * list.slice(0, i).reduce((sum, one) => sum + one.mean, 0)).toFixed(1);
  const edge = i => all.map(c => x(c.n) + " " + below(c.list, i));
  return h("figure", { class: "odds", "data-k": "odds", "aria-label": say("chances.title") },
    h("figcaption", null, say("chances.title")),
    h("div", null,
      h("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
        all[0].list.map((one, i) => h("path", {
          "data-k": one.seat, style: paletteOf(v, one.seat),
          d: `M${[...edge(i), ...edge(i + 1).reverse()].join("L")}Z`,
        }))),
      h("i", { class: "now", style: { "--x": x(n) } }),
      all.findLast(c => c.n <= n)?.list.map((one, i, list) => one.mean >= .15 && h("b", {
        "data-k": "b" + one.seat,
        style: { ...paletteOf(v, one.seat), "--x": x(n), "--y": below(list, i) - 50 * one.mean },
        class: n > last * .9 ? "left" : "",
      }, percent(one.mean) + " %"))));
}

const APART = 12, LOWER = 18; // between two signs, in percent of the height
const WIDE = [3, 11]; // percent of the width that a round needs for its number, and for its word

const charts = new WeakMap(); // what no moment changes, by the views of a recording

function charted(views, { course }, scenes) {
  const end = views.at(-1), inputs = views.length - 1, seats = [...end.seats.map(s => s.id), "table"];
  const counted = (v, seat) => (seat === "table" ? v : v.seats.find(s => s.id === seat))?.counters?.[course.counter];
  const lines = seats.map(seat => ({
    seat, values: views.map((v, n) => ({ n, value: counted(v, seat) }))
      .filter(({ value }, n) => value !== undefined && (!n || value !== counted(views[n - 1], seat))),
  })).filter(l => l.values.length > 0);
  const drawn = course.counter && chart(end, { ...course, inputs, lines }, seats);
  if (!drawn) return null;
  const laps = [0, ...scenes.round].map((from, i, all) => [from, drawn.x(from), drawn.x(all[i + 1] ?? inputs)]);
  const under = laps.length > 1 && laps.map(([n, from, to]) => h("i", {
    class: "lap", "data-k": "r" + n, style: { "--from": from, "--to": to },
  }, to < 100 && h("s"), to - from > WIDE[0] && h("small", null,
    to - from > WIDE[1] && h("span", null, say("page.round", { n: views[n].round })),
    h("span", null, say("moment.column", { n: views[n].round })))));
  return { ...drawn, under, label: course.label };
}

function race(v, { views, match, scenes, n, chances }) {
  if (!charts.has(views)) charts.set(views, charted(views, match.result, scenes));
  const drawn = charts.get(views);
  if (!drawn) return null;
  const { x, y, lines, under, label, plot } = drawn, at = { "--x": x(n) };
  return h("figure", { class: "race", "data-k": "race" }, h("figcaption", null, label), plot(under, [
    h("i", { class: "now", "data-k": "now", style: at }),
    lines.map(l => h("i", {
      class: "dot", "data-k": "d" + l.seat, style: { ...paletteOf(v, l.seat), ...at, "--y": y(valueAt(l, n)) },
    })),
    signs(v, drawn, chances.length > 1 ? LOWER : APART, n)]));
}
