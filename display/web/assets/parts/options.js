import { button, choice, h } from "../dom.js";
import { chosenPreset, optionOf, presetOf, seatsFor } from "../store.js";
import { say } from "../words.js";

export function options(g, plan) {
  const rest = o => o.advanced || chosenPreset(g); // a preset has chosen them
  const plain = g.options.filter(o => !rest(o)), rare = g.options.filter(rest);
  return h("section", { class: "options", "data-k": "options", "aria-label": say("begin.options") },
    h("h2", null, say("begin.options")),
    h("div", { class: "framed" },
      seatsFor(g).length > 1 && first(g, plan),
      plain.map(o => option(g, o)),
      g.presets.length > 0 && own(g, plan),
      (rare.length > 0 || g.pools.length > 0) && h("details", { "data-k": "rare" },
        h("summary", null, say("begin.more")),
        rare.map(o => option(g, o)),
        // A game in which seats bring cards has ready-made lists of them.
        g.pools.length > 0 && pools(g, plan)),
      h("label", { class: "upload", "data-k": "presets" },
        h("span", null, say("preset.add")),
        h("input", { type: "file", "data-act": "addPresets", accept: ".txt,text/plain" }))));
}

// own draws how these options are kept under a name, or one of the owner's presets is removed.
function own(g, plan) {
  const now = presetOf(g);
  return [
    !now && h("div", { class: "option", "data-k": "keep" },
      h("input", {
        "data-act": "keep", "data-keep": "plan.preset", "data-planned": "", value: plan.preset, maxlength: 40,
        placeholder: say("preset.name"), "aria-label": say("preset.name"), autocomplete: "off",
      }),
      button("keepPreset", { class: "neutral", disabled: !plan.preset.trim() }, say("preset.keep"))),
    now?.own && h("div", { class: "option", "data-k": "own" },
      h("a", { href: "/api/presets.txt", download: "presets.txt" }, say("preset.file")),
      button("removePreset", { class: "neutral", "data-name": now.name }, say("preset.remove"))),
  ];
}

function first(g, plan) {
  const lot = say("begin.first-lot");
  const open = g.finds_first ? [["", say("begin.first-open")], ["?", lot]] : [["", lot]];
  const seats = seatsFor(g).map(s => [s, plan.names[s] || say("seat." + s)]);
  return pick("plan.first", say("begin.first"), "", [...open, ...seats], plan.first);
}

const pools = (g, plan) => h("label", { class: "option tall", "data-k": "pools" },
  h("span", null, say("begin.pools")),
  h("textarea", {
    "data-act": "keep", "data-keep": "plan.pools", "data-planned": "", rows: 3, spellcheck: "false",
    placeholder: `${plan.seats[0] ?? "red"} ${g.cards[0]} 2`,
  }, plan.pools),
  h("small", null, say("begin.pools-help")));

function option(g, o) {
  const value = optionOf(g, o), path = `plan.options.${g.name} ${o.name}`;
  if (o.list) return checks(g, o, value.split(",").map(v => v.trim()));
  if (o.values.length) return pick(path, o.title, o.help, o.values.map(v => [v.value, v.title]), value);
  return h("label", { class: "option", "data-k": o.name }, h("span", null, o.title),
    h("input", {
      "data-act": "keep", "data-keep": path, "data-planned": "", value, autocomplete: "off", spellcheck: "false",
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

function pick(path, text, help, values, value) {
  const letters = values.reduce((n, v) => n + v[1].length, 0);
  const many = values.length > 4 || letters > 28 || path === "plan.first";
  const one = ([v, words]) => choice(path, v, value, null, words);
  return h(many ? "label" : "div", { class: "option", "data-k": path }, h("span", null, text),
    many ? h("select", { "data-act": "keep", "data-keep": path, "aria-label": text },
      values.map(([v, words]) => h("option", { value: v, selected: v === value }, words)))
      : h("span", { class: "switch", role: "group", "aria-label": text }, values.map(one)),
    help && h("small", null, help));
}
