// The top line: game, round, turn, and parts that do not work.

import { button, h } from "../dom.js";
import { palette, seated, seatName, shape, shapesOf } from "../seats.js";
import { mine } from "../store.js";
import { label, languages, moment, say } from "../words.js";
import { watching } from "./welcome.js";

const mark = () => h("span", { class: "mark" }, "table", h("i", null, "/"), "side");

export function bar(state) {
  if (!state.live) return [h("h1", null, mark()), tools(state)];
  const v = state.live.view;
  return [
    h("h1", null, mark(), v.title && h("span", { class: "game" }, v.title)),
    v.match !== null && h("div", { class: "now" },
      rounds(v), v.phase && h("span", { class: "phase" }, label(v, "phase", v.phase)), turn(v)),
    health(state.live),
    tools(state),
  ];
}

function tools(state) {
  const language = l => button("choose", {
    "data-lang": l, lang: l, "aria-pressed": String(l === state.lang), title: say("lang." + l),
  }, l);
  const help = say("help.title");
  return h("div", { class: "tools" },
    h("div", { class: "switch", role: "group", "aria-label": say("page.language") }, languages.map(language)),
    button("open", { class: "round wide-only", "data-open": "help", "aria-label": help, title: help }, "?"),
    button("open", { class: "menu", "data-open": "menu", "aria-haspopup": "dialog", "aria-label": say("menu.title") },
      h("span", { "aria-hidden": "true" }, "≡"), h("span", { class: "word" }, say("menu.title"))));
}

function rounds(v) {
  if (!v.round) return null;
  const text = v.rounds ? say("page.round-of", { n: v.round, of: v.rounds }) : say("page.round", { n: v.round });
  const pip = (_, i) => h("i", { class: i + 1 < v.round ? "gone" : i + 1 === v.round ? "cur" : "" });
  const pips = v.rounds > 0 && v.rounds <= 10 && Array.from({ length: v.rounds }, pip);
  return h("span", { class: "rounds" },
    h("span", { class: "text" }, text),
    pips && h("span", { class: "pips", "aria-hidden": "true" }, pips));
}

function turn(v) {
  const seat = seated(v).find(s => s.id === v.turn);
  if (!seat) return null;
  const asked = v.prompts[0]?.seat, name = seatName(v, seat.id);
  const other = asked && asked !== seat.id && asked !== "table";
  return h("span", { class: "turn", style: palette(seat.colour) }, shape(shapesOf(v)[seat.id]),
    h("span", null, other ? say("seat.turn-answers", { turn: name, name: seatName(v, asked) }) : name));
}

function health(live) {
  const ill = live.status.health.filter(p => p.health !== "ok");
  if (!ill.length) return null;
  const failed = ill.some(p => p.health === "failed");
  return button("open", { class: "ill" + (failed ? " failed" : ""), "data-open": "health" },
    h("i", { "aria-hidden": "true" }, "!"),
    h("span", null, ill.length === 1 ? ill[0].part : say("health.some", { n: ill.length })));
}

// notes draws messages that must not be missed, one line each.
export function notes({ live, lost, trouble }) {
  const lines = [];
  const line = (kind, ...text) => lines.push(h("p", { class: "note " + kind, "data-k": kind + lines.length }, text));
  if (lost) line("lost", say("page.away"));
  if (!live) return lines;
  const { status } = live;
  if (!status.keeping && live.view.match !== null) {
    line("alarm", h("strong", null, say("page.not-keeping")), " ", status.trouble);
  } else if (status.trouble) line("alarm", status.trouble);
  if (trouble && !lost) line("alarm", trouble);
  const hall = (act, said, text) =>
    line("hall", h("strong", null, said), live.writes && button("order", { "data-do": act }, text));
  if (status.says) hall("dismiss", status.says, say("call.seen"));
  if (status.called) hall("call-off", say("call.since", { time: moment(status.called, Date.now()) }), say("call.off"));
  const own = mine(), absent = live.view.match !== null && !live.view.seats.some(s => s.id === own);
  if (!live.writes) line("quiet", say("page.watching"));
  else if (own && absent) line("quiet", say("page.absent", { name: seatName(live.view, own) }));
  return [...lines, watching(live)];
}
