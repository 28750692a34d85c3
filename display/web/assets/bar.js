// The top line: what is played, which round, who has trouble.

import { h, label, languages, language, say, seatName, seated, shape, shapesOf, palette } from "./core.js";
import { app } from "./table.js";

const mark = () => h("span", { class: "mark" }, "table", h("i", null, "/"), "side");

export function bar(live) {
  const right = h("div", { class: "tools" },
    h("div", { class: "switch", role: "group", "aria-label": say("page.language") }, languages.map(l =>
      h("button", { type: "button", "data-lang": l, lang: l, "aria-pressed": String(l === language.now), title: say("lang." + l) }, l))),
    h("button", { type: "button", class: "round wide-only", "data-open": "help", "aria-label": say("help.title"), title: say("help.title") }, "?"),
    h("button", { type: "button", class: "menu", "data-open": "menu", "aria-haspopup": "dialog" }, h("span", { "aria-hidden": "true" }, "≡"), h("span", { class: "word" }, say("menu.title"))));
  if (!live) return [h("h1", null, mark()), right];
  const v = live.view;
  return [
    h("h1", null, mark(), v.title && h("span", { class: "game" }, v.title)),
    v.match !== null && h("div", { class: "now" }, rounds(v), v.phase && h("span", { class: "phase" }, label(v, "phase", v.phase)), turn(v)),
    health(live),
    right,
  ];
}

function rounds(v) {
  if (!v.round) return null;
  const text = v.rounds ? say("page.round-of", { n: v.round, of: v.rounds }) : say("page.round", { n: v.round });
  const pips = v.rounds > 0 && v.rounds <= 10 && Array.from({ length: v.rounds }, (_, i) => h("i", { class: i + 1 < v.round ? "gone" : i + 1 === v.round ? "cur" : "" }));
  return h("span", { class: "rounds" }, h("span", { class: "text" }, text), pips && h("span", { class: "pips", "aria-hidden": "true" }, pips));
}

function turn(v) {
  const seat = seated(v).find(s => s.id === v.turn);
  if (!seat) return null;
  return h("span", { class: "turn", style: palette(seat.colour) }, shape(shapesOf(v)[seat.id]), h("span", null, seatName(v, seat.id)));
}

function health(live) {
  const ill = live.status.health.filter(p => p.health !== "ok");
  if (!ill.length || live.view.match === null && !ill.length) return null;
  return h("button", { type: "button", class: "ill" + (ill.some(p => p.health === "failed") ? " failed" : ""), "data-open": "health" },
    h("i", { "aria-hidden": "true" }, "!"), h("span", null, ill.length === 1 ? ill[0].part : say("health.some", { n: ill.length })));
}

// notes are what must not be missed, one line each.
export function notes(live) {
  const lines = [];
  const line = (kind, ...text) => lines.push(h("p", { class: "note " + kind, "data-k": kind + lines.length }, text));
  if (app.lost && live) line("lost", say("page.away"));
  if (!live) { if (app.lost) line("lost", say("page.away")); return lines; }
  const s = live.status, v = live.view;
  if (!s.keeping && v.match !== null) line("alarm", h("strong", null, say("page.not-keeping")), " ", s.trouble);
  else if (s.trouble) line("alarm", s.trouble);
  if (app.trouble) line("alarm", app.trouble);
  if (!live.writes) line("quiet", say("page.watching"));
  return lines;
}
