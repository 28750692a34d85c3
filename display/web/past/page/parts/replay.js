// A replay: what happened, the log, and the film of the match.

import { button, h } from "../dom.js";
import { palette, paletteOf, seated, seatName, shape, shapesOf, winnerNames } from "../seats.js";
import { question } from "../store.js";
import { say } from "../words.js";
import { heading } from "./ask.js";
import { rounds } from "./bar.js";
import { log } from "./opened.js";
import { stairs } from "./race.js";

export function bar({ live, replay, lang }) {
  const title = h("h1", { class: "mark" }, "table", h("i", null, "/"), "side");
  if (!live) return [title];
  const v = live.view, begin = new Date(replay.match.begin);
  const day = begin.toLocaleString(lang, { dateStyle: "long", timeStyle: "short" });
  const [, table] = (replay.match.match ?? "").split("@"); // a hall has matches of several
  return [
    title, h("span", { class: "game" }, v.title), rounds(v),
    h("time", { class: "notice", datetime: replay.match.begin }, [day, table].filter(Boolean).join(" · ")),
    h("div", { class: "tools" }, replay.follows && newest(replay), replay.linked && share(replay)),
  ];
}

// newest draws the key that goes to the newest moment, and stays there.
const newest = ({ n, views }) => button("seek", {
  class: "tool newest", "data-k": "newest", "data-n": views.length - 1, "aria-pressed": String(n === views.length - 1),
}, say("replay.newest"));

// share draws what can be made of the match.
function share({ match, n }) {
  const base = "/matches/" + match.match, lang = "lang=" + match.lang;
  const file = (url, text, as) => h("li", null, h("a", { href: url, download: as }, text));
  return h("details", { class: "share", "data-k": "share" },
    h("summary", { class: "tool" }, say("replay.share")),
    h("ul", null,
      file(`${base}.html?${lang}`, say("replay.file"), ""),
      match.animated && file(`${base}.gif?${lang}`, say("replay.gif"), ""),
      file(`${base}.png?n=${n}&${lang}`, say("replay.picture"), `${match.match}-${n}.png`),
      file(`/api/journal?match=${match.match}`, say("replay.journal"), match.match + ".journal")));
}

export const warning = ({ replay, live }) => [
  replay.trouble && h("p", { class: "note alarm", "data-k": "trouble" }, replay.trouble),
  live && replay.match.stopped && h("p", { class: "note alarm", "data-k": "stopped" }, say("replay.stopped")),
];

const stepOf = replay => replay.match.steps[replay.n - 1];

// told returns the seat of which a moment tells, or undefined.
export function told({ live, replay }) {
  const step = stepOf(replay), seat = step?.seat ?? step?.event;
  return live.view.seats.find(s => s.id === seat)?.id;
}

// caption draws what the input did, what the table asks then, and the clock at that moment.
export function caption(state) {
  const { live: { view: v }, replay } = state, step = stepOf(replay), seat = told(state);
  const [first, ...more] = step?.lines ?? [], text = first ?? say(step ? "replay.nothing" : "replay.begin");
  return [
    h("div", { class: "who", "data-k": "who" }, seat && shape(shapesOf(v)[seat]),
      h("span", null, seat ? seatName(v, seat) : say("replay.moment", { n: replay.n }))),
    h("div", { class: "text", "data-k": "text" }, heading(text),
      more.length > 0 && h("p", { "data-k": "more" }, more.join(" · ")),
      h("p", { class: "next", "data-k": "next" }, next(v))),
  ];
}

function next(v) {
  if (v.winners.length) return say(v.winners.length > 1 ? "page.winners" : "page.winner", { name: winnerNames(v) });
  const asked = question(v);
  if (!asked) return "";
  const sits = v.seats.some(s => s.id === asked.seat), name = sits ? seatName(v, asked.seat) : "";
  return name && !asked.text.includes(name) ? say("replay.asks", { name, text: asked.text }) : asked.text;
}

// coloured returns the colours of the seat whose move it was.
const coloured = (v, match, { n }) => paletteOf(v, match.steps[n - 1].seat);

// story draws the decisive moves, and what had happened up to this moment.
export function story(state) {
  const { live: { view: v }, replay: { match, n } } = state;
  return [
    match.moves.length > 0 && h("section", { class: "turns", "data-k": "turns" },
      h("h2", null, say("replay.turns")),
      h("ul", null, match.moves.map(m => h("li", { "data-k": "m" + m.n, style: coloured(v, match, m) },
        button("seek", { class: "line", "data-n": m.n, "aria-current": m.n === n ? "step" : null },
          h("span", null, m.text)))))),
    log(state, e => ({ "data-act": "seek", "data-n": e.n })),
  ];
}

// film draws the controls over the course of the match.
export function film({ live, replay }) {
  const { views, n, playing, pace, by, match, scenes } = replay, last = views.length - 1;
  const kinds = Object.keys(scenes).filter(kind => scenes[kind].length);
  const word = playing ? say("replay.pause") : say("replay.play");
  const back = say("replay.back"), on = say("replay.on");
  return [
    h("div", { class: "course" },
      chart(live.view, replay),
      scenes.round.map((at, i) => h("i", { class: "lap", "data-k": "r" + at, style: { "--at": at / last } },
        views[at].round !== views[scenes.round[i + 1]]?.round && h("b", null, views[at].round))),
      match.moves.map(m => h("i", {
        class: "turn", "data-k": "t" + m.n, style: { ...coloured(live.view, match, m), "--at": m.n / last },
      })),
      h("i", { class: "now", "data-k": "now", style: { "--at": n / (last || 1) } }),
      h("input", {
        type: "range", min: 0, max: last, step: 1, value: n, "data-act": "seek", "data-planned": "",
        "aria-label": say("replay.slider"), "aria-valuetext": say("replay.place", { n, of: last }),
        style: { "--at": n / (last || 1) },
      })),
    h("div", { class: "controls" },
      button("step", {
        class: "a", "data-by": -1, "aria-label": back, title: back + " (←)", disabled: n === 0,
      }, "◀"),
      button("play", { class: "a primary", title: word + " (" + say("replay.space") + ")" },
        playing ? "❚❚" : "▶", " ", word),
      button("step", {
        class: "a", "data-by": 1, "aria-label": on, title: on + " (→)", disabled: n === last,
      }, "▶"),
      kinds.length > 0 && h("label", null, h("span", { class: "unseen" }, say("replay.by")),
        h("select", { class: "a", "data-act": "jumpBy" }, kinds.map(kind =>
          h("option", { value: kind, selected: kind === by }, say("replay.by-" + kind))))),
      button("pace", {
        class: "a pace", title: say("replay.pace"), "aria-label": say("replay.pace") + ": ×" + pace,
      }, "×" + pace),
      h("output", null, say("replay.place", { n, of: last }),
        h("small", null, clock(match.steps[n - 1]?.second ?? 0)))),
  ];
}

const two = n => String(n).padStart(2, "0");
const clock = s => (s >= 3600 ? Math.floor(s / 3600) + ":" : "") + two(Math.floor(s / 60) % 60) + ":" + two(s % 60);

// chart draws the counter of each seat over the match, each with its own dashes.
function chart(now, { course, views }) {
  const all = Object.values(course).flat().map(([, value]) => value);
  if (!all.length) return null;
  const low = Math.min(0, ...all), high = Math.max(1, ...all), last = views.length - 1 || 1;
  const x = n => (n / last * 1000).toFixed(1), y = value => (56 - (value - low) / (high - low) * 52).toFixed(1);
  return h("svg", { class: "chart", viewBox: "0 0 1000 60", preserveAspectRatio: "none", "aria-hidden": "true" },
    seated(now).map((s, i) => course[s.id]?.length > 0 &&
      h("path", { d: stairs(course[s.id], x, y, 1000), style: palette(s.colour), class: "n" + i })));
}
