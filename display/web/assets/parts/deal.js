// The form of a deal of a score sheet, on the left what is chosen, on the right the numbers and what
// the deal will bring.

import { button, h } from "../dom.js";
import { paletteOf, seatName, shape, shapesOf } from "../seats.js";
import { applies, isBoxed } from "../store.js";
import { say, says } from "../words.js";

export function deal({ live: { view: v }, dialog }) {
  const { form, values } = dialog, fields = form.fields.filter(f => applies(form, values, f));
  const boxed = fields.filter(isBoxed), lacks = lacking(form, values, fields), table = boxed.length > 1;
  const over = fields.find(f => f.total && left(form, values, f) < 0);
  const trouble = over ? say("deal.over", { n: over.total }) : dialog.trouble;
  return [form.name, h("form", { "data-act": "book", method: "dialog", class: "deal" },
    h("div", { class: "picks", "data-k": "picks" }, table && numbers(v, dialog, boxed),
      fields.filter(f => f.words && !isBoxed(f)).map(f => chips(v, f, values))),
    h("div", { class: "counting", "data-k": "counting" },
      fields.filter(f => f.upto && !isBoxed(f)).map(f => chips(v, f, values)),
      boxed.length > 0 && [!table && numbers(v, dialog, boxed), pad(dialog, boxed)],
      h("div", { class: "booking", "data-k": "booking" }, result(v, dialog.gains, trouble, lacks),
        h("button", {
          type: "submit", class: "a" + (lacks.length ? "" : " primary"), "data-k": "book",
          disabled: Boolean(trouble) || !form.fields.some(f => values[f.field]),
        }, say(lacks.length ? "deal.keep" : "deal.book")))))];
}

// lacking lists what the table will ask for: but not a number that follows from those of the others.
function lacking(form, values, fields) {
  const none = fields.filter(f => !values[f.field]), of = f => none.filter(n => n.total && n.total === f.total);
  const rest = f => left(form, values, f);
  return none.filter(f => !f.total || rest(f) > 0 && (of(f).length > 1 || rest(f) === f.total));
}

const shortly = all => all.slice(0, 3).join(", ") + (all.length > 3 ? "…" : "");

export const left = ({ fields }, values, f) =>
  fields.filter(o => o.total === f.total).reduce((n, o) => n - Number(values[o.field] || 0), f.total);

function chips(v, f, values) {
  const words = f.words ?? Array.from({ length: f.upto + 1 }, (_, n) => ({ word: String(n), text: String(n) }));
  const may = words[0].word === "none" || words[0].word === "no";
  return h("fieldset", { "data-k": f.field, class: may ? "may" : "" }, h("legend", null, f.text), words.map(w => {
    const seat = v.seats.some(s => s.id === w.word);
    return button("dealWord", {
      class: "a" + (seat ? " seated" : ""), "data-k": w.word, "data-field": f.field, "data-word": w.word,
      style: seat ? paletteOf(v, w.word) : null, "aria-pressed": String(values[f.field] === w.word),
    }, seat && shape(shapesOf(v)[w.word]), h("span", null, w.text));
  }));
}

const saidOf = (f, value) => f.words?.find(w => w.word === value)?.text ?? value;

function numbers(v, { values, typing }, boxed) {
  const names = new Set(boxed.map(f => f.field.split("-")[0]));
  return h("div", {
    class: "dealt", "data-k": "dealt",
    style: { "--kinds": names.size, "--lines": boxed.length / names.size },
  },
    boxed.map(f => button("dealBox", {
      class: "typed", "data-k": f.field, "data-field": f.field, "aria-pressed": String(f.field === typing),
      style: paletteOf(v, v.seats.find(s => f.field.endsWith("-" + s.id))?.id),
    }, h("span", null, f.text), h("b", null, saidOf(f, values[f.field]) || "–"))));
}

// pad draws the digits, with the words that the box takes besides.
function pad({ values, typing }, boxed) {
  const f = boxed.find(f => f.field === typing) ?? boxed[0], worded = f.words?.filter(w => isNaN(w.word)) ?? [];
  return h("div", { class: "digits", "data-k": "digits", role: "group", "aria-label": f.text },
    [..."123456789⌫0"].map(d => button("dealDigit", {
      class: "a key", "data-k": d, "data-digit": d, "aria-label": d === "⌫" ? say("sheet.delete") : null,
    }, d)),
    boxed.length > 1 && button("dealDigit", {
      class: "a key", "data-k": "next", "data-digit": "next", "aria-label": say("deal.next"),
    }, "→"),
    worded.map(w => button("dealWord", {
      class: "a", "data-k": w.word, "data-field": f.field, "data-word": w.word,
      "aria-pressed": String(values[f.field] === w.word),
    }, w.text)));
}

function result(v, gains, trouble, lacks) {
  const columns = v.sheet.columns, points = c => gains?.[c[0]] ?? 0;
  const text = trouble || lacks.length > 0 && says(say("deal.lacks"), shortly(lacks.map(f => f.text)));
  return h("div", { class: "brings", "data-k": "brings", "aria-live": "polite" }, text ?
    h("p", { class: trouble ? "trouble" : "" }, text) :
    columns.map(c => h("div", { "data-k": c[0] },
      h("span", null, c.map(id => h("span", { style: paletteOf(v, id) }, shape(shapesOf(v)[id]), seatName(v, id)))),
      h("b", null, (points(c) > 0 ? "+" : points(c) < 0 ? "−" : "") + Math.abs(points(c))))));
}
