// The matches that were played.

import { h } from "../dom.js";
import { colours, palette, shape, shapeOf } from "../seats.js";
import { say } from "../words.js";

export function past({ past: { matches, games, sought, most, trouble }, lang }) {
  const title = name => games.find(g => g.name === name)?.title ?? name.split("/")[0];
  const titles = [...new Set((matches ?? []).map(m => m.game).filter(Boolean).map(title))].sort();
  const found = (matches ?? []).filter(m => fits(m, sought, title));
  const more = found.length - most, seconds = found.reduce((all, m) => all + m.seconds, 0);
  return [
    h("header", { "data-k": "head" },
      h("h1", null, say("past.title")),
      h("a", { href: "/?lang=" + lang }, say("past.table"))),
    h("section", { class: "seek", "data-k": "seek", "aria-label": say("past.seek") },
      h("label", null, h("span", null, say("past.player")),
        h("input", {
          type: "search", "data-act": "seek", "data-by": "player", "data-planned": "", value: sought.player,
        })),
      h("label", null, h("span", null, say("past.game")),
        h("select", { "data-act": "seek", "data-by": "game" },
          h("option", { value: "" }, say("past.all")),
          titles.map(t => h("option", { value: t, selected: t === sought.game, "data-k": t }, t))))),
    h("p", { class: "said", role: "status", "data-k": "said" }, trouble || (!matches ? say("begin.loading") :
      found.length ? say("past.count", { n: found.length, time: lasted(seconds) }) : say("past.none"))),
    h("ol", { "data-k": "list" }, found.slice(0, most).map(m => match(m, title, lang))),
    more > 0 && h("form", { "data-act": "more", "data-k": "more" },
      h("button", { class: "answer" }, say("past.more", { n: more }))),
  ];
}

const plain = text => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

const fits = (m, { player, game }, title) => (!game || title(m.game) === game) &&
  (!player || m.seats.some(s => plain(s.name ?? "").includes(plain(player))));

function lasted(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? say("past.minutes", { n: minutes }) :
    say("past.hours", { h: Math.floor(minutes / 60), n: minutes % 60 });
}

function match(m, title, lang) {
  const when = new Date(m.begin), day = when.toLocaleDateString(lang, { dateStyle: "medium" });
  const clock = when.toLocaleTimeString(lang, { timeStyle: "short" });
  const done = m.state === "finished";
  return h("li", { "data-k": m.id, class: m.state },
    h("a", { href: "/matches/" + encodeURIComponent(m.id) },
      h("span", { class: "when" }, h("b", null, day), h("small", null, clock)),
      h("span", { class: "game" }, m.game ? title(m.game) : "–",
        h("small", null, done ? lasted(m.seconds) : say("matches." + m.state), m.reason ? " · " + m.reason : "")),
      h("span", { class: "who" }, m.seats.map(s => player(m, s)))));
}

const player = (m, s) => h("span", {
  class: "player" + (s.won ? " winner" : ""), style: colours[s.seat] ? palette(colours[s.seat]) : {},
}, shape(shapeOf(s.seat)), h("span", null, s.name || say("seat." + s.seat)), m.counter && h("b", null, s.value ?? 0),
s.won && h("span", { class: "unseen" }, say("past.won")));
