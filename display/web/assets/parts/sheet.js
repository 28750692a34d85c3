// The score sheet: what each seat or team got in each round, corrected by pointing.

import { button, h } from "../dom.js";
import { palette, seatName, shape, shapesOf } from "../seats.js";
import { plays } from "../store.js";
import { label, say, says } from "../words.js";

// rowOf returns the row of a cell, and the part of it that `what` names.
export function rowOf(v, what) {
  const row = v.sheet?.rows.find(r => r.id === what || r.parts?.some(p => p.id === what));
  return { row, part: row?.parts?.find(p => p.id === what) };
}

const named = (v, row) => row.round ? say("page.round", { n: row.round }) : label(v, "row", row.id);

// counted returns what a number is called: a counter, a row of the sheet or a part of it.
export function counted(v, what) {
  const { row, part } = rowOf(v, what);
  return !row ? label(v, "counter", what) : named(v, row) + (part ? " · " + label(v, "part", part.name) : "");
}

export function sheet({ live }) {
  const v = live.view, { columns, rows } = v.sheet ?? {};
  if (!rows?.length) return null;
  return h("section", { class: "scores panel", "data-k": "sheet", "aria-label": say("sheet.title"), tabindex: 0 },
    h("table", null,
      h("thead", null, h("tr", null, h("td", null), columns.map(c => h("th", { scope: "col", "data-k": c[0] },
        c.map(id => who(v, id)))))),
      h("tbody", null, rows.map(r => h("tr", { "data-k": r.id, class: r.round === v.round ? "now" : "" },
        h("th", {
          scope: "row", "aria-label": named(v, r), "aria-current": r.round && r.round === v.round ? "true" : null,
        }, r.round || named(v, r)),
        columns.map(c => h("td", { "data-k": c[0] }, cell(live, r, c))))))));
}

const who = (v, id) => h("span", { style: palette(v.seats.find(s => s.id === id).colour) },
  shape(shapesOf(v)[id]), seatName(v, id));

// cell draws a cell, small below it the numbers from which it follows.
function cell({ view: v }, row, column) {
  const [first] = column, seat = column.find(plays), n = row.cells[first];
  const parts = (row.parts ?? []).filter(p => first in p.cells);
  const text = [n ?? say("sheet.empty"), ...parts.map(p => `${label(v, "part", p.name)} ${p.cells[first]}`)];
  return [
    !seat ? n ?? "" : button("number", {
      class: "amount", "data-seat": seat, "data-what": row.id, "data-value": n ?? "", "aria-haspopup": "dialog",
      "aria-label": says(`${seatName(v, seat)}, ${named(v, row)}`, text.join(", ")),
    }, n ?? ""),
    parts.length > 0 && h("small", seat ? { "aria-hidden": "true" } : null,
      parts.map(p => p.cells[first]).join(" / ")),
  ];
}
