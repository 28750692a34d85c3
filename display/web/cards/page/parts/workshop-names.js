// The table in which an owner enters the names of many cards, one line each. A card is
// recognised by its numbers and words: nobody has pictures.

import { h } from "../dom.js";
import { plain } from "../plain.js";
import { say } from "../words.js";
import { formOf, isNamed, valuesOf } from "../workshop-lines.js";
import { saidOf, submit } from "./workshop-submit.js";

const lacking = (box, field) => box.cards.filter(c => isNamed(box, c, field) && !valuesOf(box, c)[field]).length;

// namings draws a button for each language in which names are missing.
export const namings = box => ["en", "fr"].map(field => [field, lacking(box, field)])
  .map(([field, n]) => n > 0 && submit("names", { class: "b", "data-field": field, "data-k": "names-" + field },
    say("cards.names-" + field, { n })));

export function names(state) {
  const { workshop: w, live } = state, { box, names: { field, all, typed, cards, sought } } = w;
  const keep = live?.rights.keep;
  const named = box.cards.filter(c => isNamed(box, c, field)), n = named.length - lacking(box, field);
  const listed = cards.map(about => box.cards.find(c => c.about === about)).filter(c => c && isSought(sought, c));
  const open = Object.keys(typed).length, counted = say("cards.named", { n, of: named.length });
  return [
    h("form", { class: "names card-form", novalidate: true, "data-k": "names" },
      submit("next", { hidden: true, "data-k": "default" }),
      h("div", { class: "top", "data-k": "top" },
        submit("close", { class: "quiet", "data-k": "close" }, "‹ ", say("cards.back")),
        h("h2", null, say("cards.title-" + field))),
      h("div", { class: "progress", "data-k": "progress" },
        h("p", null, h("b", null, counted)),
        h("progress", { value: n, max: named.length, "aria-label": counted })),
      h("p", { class: "hint", "data-k": "how" }, say("cards.names-how")),
      h("input", {
        type: "search", "data-act": "seekName", "data-k": "seek", "data-next": listed[0]?.about ?? "",
        placeholder: say("cards.seek-name"),
        "aria-label": say("cards.seek-name"), autocomplete: "off", spellcheck: "false", enterkeyhint: "search",
      }),
      h("label", { class: "check", "data-k": "all" },
        h("input", { type: "checkbox", "data-act": "allNames", checked: all }),
        h("span", null, say("cards.names-all"))),
      !listed.length && h("p", { class: "none", "data-k": "nobody" }, say("cards.nobody")),
      h("ol", { "data-k": "lines" }, listed.map((c, i) => [
        c.set && c.set !== listed[i - 1]?.set &&
          h("li", { class: "set", "data-k": "h-" + c.set }, h("h3", null, c.set)),
        line(w, c, listed[i + 1])])),
      keep ? h("div", { class: "foot", "data-k": "foot" },
        w.said && h("p", { class: "said" }, saidOf(w)),
        submit("saveNames", { class: "main", "aria-disabled": open && !w.busy ? null : "true", "data-k": "save" },
          open ? say("cards.save-names", { n: open }) : say("cards.save"))) :
        h("p", { class: "none", "data-k": "may-not" }, say("cards.may-not"))),
  ];
}

// line draws what is printed on a card, and the field for its name.
function line({ box, names: { field, typed, changed } }, card, next) {
  const [first, ...others] = card.says, values = valuesOf(box, card), other = values[field === "fr" ? "en" : "fr"];
  const row = formOf(box, card).rows.find(r => r.field === field), value = typed[card.about] ?? values[field] ?? "";
  return h("li", { class: card.about in typed ? "typed" : values[field] ? "named" : null, "data-k": card.about },
    h("label", { for: "n-" + card.about },
      h("b", null, first ?? card.name), " ",
      h("span", null, [first && (other || card.name), ...others].filter(Boolean).join(" · "))),
    h("input", {
      type: "text", id: "n-" + card.about, value, "data-value": value, "data-act": "name", "data-about": card.about,
      "data-next": next?.about ?? "", maxlength: row.high, autocomplete: "off", autocapitalize: "words",
      enterkeyhint: next ? "next" : "done", spellcheck: "false", lang: field, "data-k": "name",
    }),
    changed.includes(card.about) && card.about in typed &&
      h("p", { class: "theirs", "data-k": "theirs" }, say("cards.name-theirs", { name: values[field] ?? "–" })));
}

function isSought(sought, card) {
  const printed = plain([card.name, card.id, ...card.says].join(" "));
  return plain(sought).split(/\s+/).every(word => printed.includes(word));
}
