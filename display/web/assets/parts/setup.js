// The setup form: game, seats, names and options of the match to begin. It is
// shown on the empty table and in a dialog.

import { button, h } from "../dom.js";
import { colours, palette, shape, shapeOf } from "../seats.js";
import { chosenGame, chosenPreset, family, optionOf, presetOf, seatsFor } from "../store.js";
import { say } from "../words.js";
import { hue, sprite } from "./sprite.js";

export function form({ live, games, plan, known }) {
  if (!games) return h("p", { class: "none" }, say("begin.loading"));
  const g = chosenGame();
  if (!g) return h("p", { class: "none" }, say("begin.no-games"));
  const playing = live.view.match !== null && live.view.winners.length === 0, few = plan.seats.length < g.min;
  const disabled = few || plan.busy || playing;
  return h("form", { "data-act": "begin", "data-begin": "", novalidate: true },
    h("div", { class: "begin" }, families(games, g), places(g, plan, few, known), options(g, plan)),
    h("div", { class: "go", "data-k": "go" },
      h("button", { type: "submit", class: "answer big", disabled }, say("begin.go")),
      playing && h("p", { class: "hint" }, say("begin.playing"))));
}

export const edition = g => g.edition.replaceAll("-", " ");

// families draws the games with their editions.
function families(games, chosen) {
  return h("fieldset", { class: "games", "data-k": "games" }, h("legend", null, say("begin.game")),
    [...new Set(games.map(family))].map(name => {
      const editions = games.filter(g => family(g) === name), [{ title }] = editions;
      return h("div", { class: "family", "data-k": name, role: "group", "aria-label": title },
        h("b", null, title),
        h("div", { class: "editions" }, editions.map(g => oneOf(g, g === chosen))));
    }));
}

const oneOf = (g, pressed) => button("game", {
  class: "pick", "data-game": g.name, "data-k": g.name, "aria-pressed": String(pressed),
}, sign(g), h("span", null, g.edition ? edition(g) : g.title), h("small", null, players(g)));

// sign draws a picture of a game: a creature of its own, or the shapes of four seats
// for a game without cards.
export const sign = g => h("span", { class: "portrait", style: { "--hue": hue(g.name) } },
  g.cards.length > 0 ? sprite(g.name) : Object.keys(colours).slice(0, 4).map(id => shape(shapeOf(id))));

const players = g => g.min === g.max ? say("begin.players", { n: g.min }) :
  say("begin.players-range", { min: g.min, max: g.max });

function places(g, plan, few, known) {
  const taken = seatsFor(g);
  return h("fieldset", { class: "places", "data-k": "places" }, h("legend", null, say("begin.seats")),
    h("div", { class: "colours" }, Object.keys(colours).map(id => colour(id, taken.indexOf(id)))),
    h("datalist", { id: "known" }, known?.map(value => h("option", { value }))),
    h("ol", { class: "names" }, taken.map((id, i) => place(g, plan, id, i))),
    h("p", { class: "hint" }, few ? say("begin.few", { n: g.min }) : g.max > 1 && say("begin.clockwise")));
}

function colour(id, at) {
  const text = say("seat." + id), name = at >= 0 ? `${text} ${at + 1}` : text;
  return button("place", {
    class: "colour", "data-place": id, "data-k": id, style: palette(colours[id]), "aria-pressed": String(at >= 0),
    "aria-label": name, title: text,
  }, shape(shapeOf(id)), at >= 0 && h("b", null, at + 1));
}

function place(g, plan, id, i) {
  const seat = say("seat." + id), text = say("begin.up"), pools = g.pools.map(p => [p.value, p.title]);
  return h("li", { "data-k": id, style: palette(colours[id]) },
    shape(shapeOf(id)),
    h("input", {
      "data-act": "named", "data-name": id, "data-planned": "", value: plan.names[id] ?? "", maxlength: 24,
      placeholder: seat, "aria-label": say("begin.name", { seat }), list: "known",
      autocomplete: "off", spellcheck: "false",
    }),
    pools.length > 0 && select(
      { "data-act": "pool", "data-pool": id, "aria-label": say("begin.pool", { seat }) },
      [["", say("begin.pool-any")], ...pools], plan.pool[id] ?? ""),
    i > 0 && button("up", { class: "up", "data-up": id, "aria-label": text, title: text }, "↑"));
}

const select = (attributes, values, value) => h("select", attributes,
  values.map(([v, words]) => h("option", { value: v, selected: v === value }, words)));

function options(g, plan) {
  const rest = o => o.advanced || chosenPreset(g); // a preset has chosen them
  const plain = g.options.filter(o => !rest(o)), rare = g.options.filter(rest);
  return [
    h("fieldset", { class: "options", "data-k": "options" }, h("legend", null, say("begin.options")),
      g.presets.length > 0 && presets(g, plan),
      plain.map(o => option(g, o)),
      seatsFor(g).length > 1 && first(g, plan)),
    (rare.length > 0 || g.pools.length > 0) &&
      h("details", { class: "options", "data-k": "rare" }, h("summary", null, say("begin.more")),
        rare.map(o => option(g, o)),
        // A game in which seats bring cards has ready-made lists of them.
        g.pools.length > 0 && pools(g, plan),
        h("label", { class: "upload", "data-k": "presets" },
          h("span", null, say("preset.add")),
          h("input", { type: "file", "data-act": "addPresets", accept: ".txt,text/plain" }))),
  ];
}

// presets draws the choice of a preset: the one whose options these are. Others may be kept
// under a name.
function presets(g, plan) {
  const now = presetOf(g), all = [["", say("preset.none")], ...g.presets.map(p => [p.name, p.title])];
  return [
    h("label", { class: "option", "data-k": "preset" }, h("span", null, say("preset.title")),
      select({ "data-act": "preset", "aria-label": say("preset.title") }, all, now?.name ?? "")),
    !now && h("div", { class: "option", "data-k": "keep" },
      h("input", {
        "data-act": "presetTitle", "data-planned": "", value: plan.preset, maxlength: 40,
        placeholder: say("preset.name"), "aria-label": say("preset.name"), autocomplete: "off",
      }),
      button("keepPreset", { class: "plain", disabled: !plan.preset.trim() }, say("preset.keep"))),
    now?.own && h("div", { class: "option", "data-k": "own" },
      h("a", { href: "/api/presets.txt", download: "presets.txt" }, say("preset.file")),
      button("removePreset", { class: "plain", "data-name": now.name }, say("preset.remove"))),
  ];
}

// first draws the choice of the seat that begins.
function first(g, plan) {
  const lot = say("begin.first-lot");
  const open = g.finds_first ? [["", say("begin.first-open")], ["?", lot]] : [["", lot]];
  const seats = seatsFor(g).map(s => [s, plan.names[s] || say("seat." + s)]);
  return pick("first", say("begin.first"), "", [...open, ...seats], plan.first);
}

const pools = (g, plan) => h("label", { class: "option tall", "data-k": "pools" },
  h("span", null, say("begin.pools")),
  h("textarea", {
    "data-act": "pools", "data-pools": "", "data-planned": "", rows: 3, spellcheck: "false",
    placeholder: `${plan.seats[0] ?? "red"} ${g.cards[0]} 2`,
  }, plan.pools),
  h("small", null, say("begin.pools-help")));

function option(g, o) {
  const value = optionOf(g, o) ?? o.default, name = "option " + o.name;
  if (o.list) return checks(g, o, value.split(",").map(v => v.trim()));
  if (o.values.length) return pick(name, o.title, o.help, o.values.map(v => [v.value, v.title]), value);
  return h("label", { class: "option", "data-k": o.name }, h("span", null, o.title),
    h("input", {
      "data-act": "option", "data-pick": name, "data-planned": "", value, autocomplete: "off", spellcheck: "false",
    }),
    o.help && h("small", null, o.help));
}

// checks draws an option with several values as checkboxes. The last checked one
// cannot be unchecked.
function checks(g, o, on) {
  const box = v => h("input", {
    type: "checkbox", "data-act": "check", "data-check": o.name, value: v.value, checked: on.includes(v.value),
    disabled: on.length === 1 && on[0] === v.value,
  });
  return h("div", { class: "option tall", "data-k": g.name + o.name, role: "group", "aria-label": o.title },
    h("span", null, o.title),
    h("span", { class: "checks" }, o.values.map(v =>
      h("label", { class: "check", "data-k": v.value }, box(v), h("span", null, v.title)))),
    o.help && h("small", null, o.help));
}

// pick draws a few short values as buttons, others as a list.
function pick(name, text, help, values, value) {
  const letters = values.reduce((n, v) => n + v[1].length, 0);
  const many = values.length > 4 || letters > 28 || name === "first";
  const one = ([v, words]) => button("option", {
    "data-pick": name, "data-value": v, "data-k": v, "aria-pressed": String(v === value),
  }, words);
  return h(many ? "label" : "div", { class: "option", "data-k": name }, h("span", null, text),
    many ? select({ "data-act": "option", "data-pick": name, "aria-label": text }, values, value)
      : h("span", { class: "switch", role: "group", "aria-label": text }, values.map(one)),
    help && h("small", null, help));
}
