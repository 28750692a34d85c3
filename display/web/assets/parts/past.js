// The matches that were played.

import { h } from "../dom.js";
import { plain } from "../plain.js";
import { colours, palette, shape, shapeOf } from "../seats.js";
import { edition } from "../store.js";
import { say } from "../words.js";

export function past(state) {
  const { past: { matches, games, sought, most, trouble, deleted, gone, keep, hall }, lang } = state;
  const game = name => games.find(g => g.name === name), title = name => game(name)?.title ?? name.split("/")[0];
  const titles = [...new Set((matches ?? []).map(m => m.game).filter(Boolean).map(title))].sort();
  const found = (matches ?? []).filter(m => fits(m, sought, title, game(m.game)));
  const more = found.length - most, seconds = found.reduce((all, m) => all + m.seconds, 0);
  return [
    h("header", { "data-k": "head" },
      h("h1", null, say("past.title")),
      h("a", { href: "/players?lang=" + lang }, say("past.players")),
      h("a", { href: "/?lang=" + lang }, say(hall ? "past.hall" : "past.table"))),
    h("section", { class: "seek", "data-k": "seek", "aria-label": say("past.seek") },
      field("player", sought), field("text", sought),
      h("label", null, h("span", null, say("past.game")),
        h("select", { "data-act": "seek", "data-by": "game" },
          h("option", { value: "" }, say("past.all")),
          titles.map(t => h("option", { value: t, selected: t === sought.game, "data-k": t }, t))))),
    h("p", { class: "said", role: "status", tabindex: -1, "data-k": "said" },
      trouble || (!matches ? say("begin.loading") :
        found.length ? say("past.count", { n: found.length, time: lasted(seconds) }) : say("past.none"))),
    gone && h("form", { class: "gone", "data-act": "restore", "data-match": gone, "data-k": "gone" },
      h("p", null, say("past.deleted-one")), h("button", { class: "answer" }, say("past.undo"))),
    h("ol", { "data-k": "list" }, found.slice(0, most).map(m => match(m, game(m.game), lang, keep))),
    more > 0 && h("form", { "data-act": "more", "data-k": "more" },
      h("button", { class: "answer" }, say("past.more", { n: more }))),
    keep && h("section", { class: "deleted", "data-k": "deleted" }, deleted ? bin(deleted, game, lang, keep) :
      h("form", { "data-act": "deleted" }, h("button", { class: "answer" }, say("past.deleted")))),
  ];
}

const field = (by, sought) => h("label", null, h("span", null, say("past." + by)),
  h("input", { type: "search", "data-act": "seek", "data-by": by, "data-planned": "", value: sought[by] }));

const has = (text, part) => plain(text ?? "").includes(plain(part));

const fits = (m, { player, game, text }, title, g) => (!game || title(m.game) === game) &&
  (!player || m.seats.some(s => has(s.name, player))) &&
  (!text || has([m.note, m.table, title(m.game), m.game, ...played(m, g), m.begin.slice(0, 10), m.reason,
    ...m.seats.map(s => s.name)].join(" "), text));

// played lists how the game g was played: its edition if a box has several, and the preset
// that it was, or else the options that somebody chose.
function played(m, g) {
  if (!g) return [];
  const value = (options, o) => options?.[o.name] ?? o.default, has = o => value(m.options, o);
  const chosen = g.options.filter(o => has(o) !== o.default);
  const preset = chosen.length > 0 && g.presets.find(p => g.options.every(o => has(o) === value(p.options, o)));
  return [g.cards.length > 0 && edition(g), ...preset ? [preset.title] : chosen.map(o => say("past.option",
    { option: o.title, value: o.values.find(v => v.value === has(o))?.title ?? has(o) }))].filter(Boolean);
}

export function lasted(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? say("past.minutes", { n: minutes }) :
    say("past.hours", { h: Math.floor(minutes / 60), n: minutes % 60 });
}

function match(m, g, lang, keep) {
  return h("li", { "data-k": m.id, class: m.state },
    h("a", { href: "/matches/" + encodeURIComponent(m.id) }, row(m, g, lang)),
    m.note && h("p", { class: "note" }, m.note),
    keep && h("details", { class: "more", "data-k": "more" },
      h("summary", { "aria-label": say("past.change") + " · " + dayOf(m, lang), title: say("past.change") }, "⋯"),
      h("form", { "data-act": "note", "data-match": m.id },
        h("label", null, h("span", null, say("past.note")),
          h("input", { name: "text", value: m.note ?? "", maxlength: 500, autocomplete: "off" })),
        h("button", { class: "answer" }, say("past.keep")),
        h("button", { class: "answer alarm", "data-act": "remove", formnovalidate: true }, say("past.delete")))));
}

const dayOf = (m, lang) => new Date(m.begin).toLocaleDateString(lang, { dateStyle: "medium" });

// row draws what is known of a match. Of an unfinished one it tells the round.
function row(m, g, lang) {
  const clock = new Date(m.begin).toLocaleTimeString(lang, { timeStyle: "short" }), day = dayOf(m, lang);
  const time = m.seconds ? lasted(m.seconds) : "";
  const how = played(m, g).join(" · "), told = m.state === "finished" ? [time] : [say("matches." + m.state),
    m.state !== "damaged" && m.round > 0 && say("past.round", { n: m.round }), m.state !== "damaged" && time, m.reason];
  return [
    h("span", { class: "when" }, h("b", null, day), h("small", null, clock)),
    h("span", { class: "game" }, g?.title ?? (m.game.split("/")[0] || "–"),
      h("small", null, [m.table, ...told].filter(Boolean).join(" · "))),
    h("span", { class: "who" }, m.seats.map(s => player(m, s)), how && h("small", null, how)),
  ];
}

const player = (m, s) => h("span", {
  class: "player" + (s.won ? " winner" : ""), style: colours[s.seat] ? palette(colours[s.seat]) : {},
}, shape(shapeOf(s.seat)), h("span", null, s.name || say("seat." + s.seat)), m.counter && h("b", null, s.value ?? 0),
s.won && h("span", { class: "unseen" }, say("past.won")));

// bin draws the deleted matches.
const bin = (list, game, lang, keep) => [
  h("h2", null, say("past.deleted")),
  list.length ? h("ol", null, list.map(m => h("li", { "data-k": m.id, class: m.state },
    h("form", { "data-act": "restore", "data-match": m.id }, row(m, game(m.game), lang),
      keep && h("button", { class: "answer" }, say("past.restore")))))) : h("p", null, say("past.none-deleted")),
];
