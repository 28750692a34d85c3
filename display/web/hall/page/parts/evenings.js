// All evenings of a hall, and the form that begins one.

import { h } from "../dom.js";
import { local, say } from "../words.js";

const FORMATS = ["swiss", "round-robin", "knock-out", "free"];

export function evenings({ evening: { all, kept, keep, tables, games, trouble }, lang }) {
  return [
    h("div", { class: "head", "data-k": "head" }, h("h1", null, say("hall.evenings"))),
    h("p", { class: "said", role: "status", tabindex: -1, "data-k": "said" },
      trouble || (!all ? say("begin.loading") :
        !kept ? say("evening.needs-data") : !all.length && say("evening.none"))),
    all?.length > 0 && h("ol", { class: "all", "data-k": "all" }, all.map(one => h("li", { "data-k": one.id },
      h("a", { class: "box", href: "/evenings/" + encodeURIComponent(one.id) + "?lang=" + lang },
        h("b", null, one.name), h("span", null, about(one, games, lang)), h("small", null, stand(one)))))),
    kept && keep && create(tables, games),
    kept && all && !keep && h("p", { class: "sub", "data-k": "keep" }, say("evening.keepers")),
  ];
}

// about tells when an evening began, and what is played.
export const about = (one, games, lang) => [
  new Date(one.begin).toLocaleDateString(local(lang), { dateStyle: "medium" }), say("evening.format-" + one.format),
  games.get(one.game) ?? one.game, say("evening.players", { n: one.players }),
].filter(Boolean).join(" · ");

// stand tells how far it is.
export const stand = one => one.over ? say("evening.is-over") : one.round === 0 ? say("evening.not-begun") :
  [say("evening.round", { n: one.round }), one.missing > 0 && say("evening.missing", { n: one.missing })]
    .filter(Boolean).join(" · ");

export const field = (label, input) => h("label", { class: "named" }, h("span", null, label), input);

export const pick = (name, label, options, chosen) => field(label, h("select", { class: "field", name },
  options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));

// doing draws a button that calls an action with its data, and with what is in the fields before it.
export const doing = (act, data, label, attributes, ...fields) =>
  h("form", { "data-act": act, "data-k": act, ...data }, fields, h("button", { class: "b", ...attributes }, label));

// minutes draws the field for the minutes of a round; 0 is no clock.
export const minutes = value =>
  h("input", { class: "field", name: "minutes", type: "number", min: 0, max: 600, value, required: true });

function create(tables, games) {
  const played = tables.filter(t => t.game).map(t => [t.game.split("/")[0], t.title]);
  const choices = [...new Map([...played, ...games])]; // a table's program may be newer than the hall's
  return h("form", { class: "box create", "data-act": "create", "data-k": "create" },
    h("h2", null, say("evening.create")),
    h("div", { class: "fields" },
      field(say("evening.name"),
        h("input", { class: "field", name: "name", required: true, maxlength: 60, autocomplete: "off" })),
      pick("format", say("evening.format"), FORMATS.map(one => [one, say("evening.format-" + one)])),
      field(say("evening.size"),
        h("input", { class: "field", name: "size", type: "number", min: 2, max: 8, value: 2, required: true })),
      field(say("evening.minutes"), minutes(0)),
      field(say("evening.game"), h("select", { class: "field", name: "game", "data-k": "game" },
        h("option", { value: "" }, say("hall.all-games")),
        choices.map(([name, title]) => h("option", { value: name, "data-k": name }, title))))),
    h("fieldset", { "data-k": "knock-out" }, h("legend", null, say("evening.format-knock-out")),
      ["best", "third"].map(name => h("label", { class: "tick" },
        h("input", { type: "checkbox", name }), h("span", null, say("evening.with-" + name))))),
    field(say("evening.names"),
      h("textarea", { class: "field", name: "players", rows: 8, placeholder: say("evening.names-hint") })),
    tables.length > 0 && h("fieldset", { "data-k": "tables" }, h("legend", null, say("evening.tables")),
      tables.map(t => h("label", { class: "tick", "data-k": t.table },
        h("input", { type: "checkbox", name: "table " + t.table, checked: t.here }), h("span", null, t.table)))),
    field(say("evening.more-tables"), h("input", { class: "field", name: "more", autocomplete: "off" })),
    h("button", { class: "b main" }, say("evening.begin")));
}
