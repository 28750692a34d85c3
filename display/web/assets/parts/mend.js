import { button, h } from "../dom.js";
import { seatName } from "../seats.js";
import { plays } from "../store.js";
import { label, say } from "../words.js";

export const amount = (live, seat, what, n, inside = n) =>
  !plays(seat) || live.view.match === null ? inside : button("number", {
  class: "amount", "data-seat": seat, "data-what": what, "data-value": n, "aria-haspopup": "dialog",
  "aria-label": say("mend.of", { name: label(live.view, "counter", what), what: n }), title: say("mend.number"),
}, inside);

export function moves({ live: { view: v }, dialog }) {
  const word = place => v.labels?.["zone." + place] ?? label(v, "counter", place);
  const text = m => [
    m.seat !== dialog.owner && seatName(v, m.seat), word(m.place), m.state && label(v, "state", m.state),
  ].filter(Boolean).join(" · ");
  return dialog.moves?.length > 0 && h("details", { class: "moves", "data-k": "moves" },
    h("summary", { class: "a" }, say("mend.move")),
    h("div", { class: "list" }, dialog.moves.map(m =>
      button("input", { class: "plain", "data-k": m.line, "data-input": m.line }, text(m)))));
}

export const opensForm = asked => asked.form && plays(asked.seat) &&
  button("openForm", { class: "answer", "data-k": "form", "aria-haspopup": "dialog" }, say("form.open"));

export function cardForm({ lang, dialog }) {
  const { form, values, trouble } = dialog, kind = values.kind?.[0];
  const has = f => (!f.only || f.only.includes(kind)) && (f.field === lang || !isTitle(f));
  return [form.name, h("form", { "data-act": "sendForm", method: "dialog", class: "cardform" },
    h("p", null, say("form.how")),
    form.fields.filter(has).map((f, i) => f.words ? chips(f, values[f.field] ?? [], i === 0) :
      typed(f, values[f.field] ?? "")),
    trouble && h("p", { class: "trouble", role: "alert" }, trouble),
    h("button", { type: "submit", class: "answer" }, say("page.ok")))];
}

const isTitle = f => f.field === "en" || f.field === "fr";

function chips(f, chosen, first) {
  const count = w => chosen.filter(c => c === w.word).length;
  return h("fieldset", { "data-k": f.field },
    h("legend", null, f.text),
    f.words.map((w, i) => button("formWord", {
      class: "plain", "data-k": w.word, "data-field": f.field, "data-word": w.word, autofocus: first && i === 0,
      "aria-pressed": String(count(w) > 0),
    }, w.text, count(w) > 1 && " ×" + count(w))));
}

// typed draws a field of text. Beside that of an ability a button says that the card
// has none.
function typed(f, value) {
  const none = f.none && value === "none", path = "dialog.values." + f.field;
  return h("div", { class: "typed", "data-k": f.field },
    h("label", null,
      h("span", null, isTitle(f) ? say("form.title") : f.text),
      h("input", {
        name: f.field, value: none ? "" : value, "data-act": "keep", "data-keep": path, "data-planned": "",
        autocomplete: "off", spellcheck: "false", maxlength: isTitle(f) ? 40 : 400,
      })),
    f.none && button("keep", {
      class: "plain", "data-keep": path, "data-value": none ? "" : "none", "aria-pressed": String(none),
    }, say("form.none")));
}
