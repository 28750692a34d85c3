// The top line: game, round, turn, and parts that do not work.

import { button, h, icon } from "../dom.js";
import { seatName } from "../seats.js";
import { keeps, mine, refusal, unknownTag } from "../store.js";
import { languages, moment, say } from "../words.js";
import { teaching } from "./ask.js";
import { left } from "./result.js";

export function bar(state) {
  const v = state.live?.view;
  return [
    h("h1", { class: "mark" }, "table", h("i", null, "/"), "side"),
    v?.title && h("span", { class: "game" }, v.title),
    v && v.match !== null && rounds(v),
    state.live?.status.round_ends && roundLeft(state.live.status.round_ends),
    v && v.notices.length > 0 && button("open", { class: "notice", "data-open": "notices", "aria-haspopup": "dialog" },
      h("i", { "aria-hidden": "true" }, "!"), h("span", null, say("bar.stand-in"))),
    v?.clock && v.match !== null && !v.winners.length && stop(state.live),
    state.live && health(state.live),
    tools(state),
  ];
}

// roundLeft draws how much time a hall's round has left.
function roundLeft(ends) {
  const time = left(ends, Date.now()), text = say("bar.evening-round");
  return h("span", { class: "ends" + (time ? "" : " over"), role: "timer", title: text, "data-k": "ends" },
    h("span", null, text + " "), time || "0:00");
}

export const chip = "M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4";

function tools(state) {
  const { live, lang } = state, help = say("help.title"), menu = say("menu.title");
  const other = languages[(languages.indexOf(lang) + 1) % languages.length];
  return h("div", { class: "tools" },
    live?.status.simulated && live.view.match !== null && button("drawer", {
      class: "tool", "aria-expanded": String(state.drawer), "aria-controls": "drawer",
      "aria-label": say("hardware.title"),
    }, icon(null, chip), h("span", null, say("hardware.title"))),
    button("choose", { class: "tool lang", "data-lang": other, title: say("page.language") },
      h("i", { class: "unseen" }, say("page.language")),
      languages.map(l => h(l === lang ? "b" : "em", l === lang ? null : { lang: l }, l.toUpperCase()))),
    button("open", { class: "tool", "data-open": "help", "aria-label": help, title: help }, "?"),
    button("open", { class: "tool", "data-open": "menu", "aria-haspopup": "dialog", "aria-label": menu },
      "≡", h("span", null, menu)));
}

const stop = ({ view: { clock }, writes }) => writes && button("input", {
  class: "tool", "data-k": "clock", "data-input": "table set clock " + (clock.stopped ? "run" : "stop"),
  title: say("clock.title"),
}, clock.stopped ? "▶" : "❚❚", h("span", null, say(clock.stopped ? "clock.run" : "clock.stop")));

export function rounds(v) {
  if (!v.round) return null;
  const text = v.rounds ? say("page.round-of", { n: v.round, of: v.rounds }) : say("page.round", { n: v.round });
  const pip = (_, i) => h("i", { class: i + 1 < v.round ? "gone" : i + 1 === v.round ? "cur" : "" });
  return h("span", { class: "rounds" }, text, v.rounds > 1 && v.rounds <= 10 &&
    h("span", { class: "pips", "aria-hidden": "true" }, Array.from({ length: v.rounds }, pip)));
}

function health(live) {
  const ill = live.status.health.filter(p => p.health !== "ok");
  if (!ill.length) return null;
  const failed = ill.some(p => p.health === "failed");
  const text = ill.length === 1 ? ill[0].part : say("health.some", { n: ill.length });
  return button("open", { class: "tool ill" + (failed ? " failed" : ""), "data-open": "health", "aria-label": text },
    h("i", { "aria-hidden": "true" }, "!"),
    h("span", null, text));
}

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
  const r = status.receipt, waits = unknownTag() && (!mine() || r.seat === mine());
  const no = live.view.match === null && (refusal() ?? (waits ? r : null)); // there is no question
  if (no && !(no.override && status.continue)) {
    line("alarm", h("span", { "data-refused": "" }, no.text || say("receipt." + no.outcome)), teaching());
  }
  if (status.says) hall("dismiss", status.says, say("call.seen"));
  if (status.called) hall("call-off", say("call.since", { time: moment(status.called, Date.now()) }), say("call.off"));
  const own = mine(), absent = live.view.match !== null && !live.view.seats.some(s => s.id === own);
  if (!live.writes) line("quiet", say("page.watching"));
  else if (own && absent) line("quiet", say("page.absent", { name: seatName(live.view, own) }));
  return [...lines, watching(live)];
}

const steps = ["ask", "track", "hand"];

// tour draws one pointer. behave/modal.js puts it beside what it is about.
export function tour({ live, tour: n }) {
  const v = live?.view, name = steps[n - 1], last = n === steps.length;
  if (!name || v.match === null || v.winners.length > 0) return null;
  return [h("span", { class: "spot", "data-k": "spot", "data-spot": name }),
    h("div", { class: "pointer", "data-k": "pointer" },
      h("p", null, say("tour." + name)),
      h("div", null, h("small", null, n + " / " + steps.length),
        !last && button("point", { "data-k": "end", "data-to": 0 }, say("tour.end")),
        button("point", { class: "next", "data-k": "next", "data-to": last ? 0 : n + 1 },
          last ? say("page.ok") : say("tour.next"))))];
}

const watching = live => live.show === "playing" && h("p", { class: "note watching", "data-k": "watching" },
  h("span", null, live.caption || say("show.playing")),
  keeps() && button("watch", { "data-do": "stop" }, say("show.stop")));
