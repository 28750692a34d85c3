// The score sheet: what each seat or team got in each round, corrected by pointing.

import { button, h } from "../dom.js";
import { palette, seatName, shape, shapesOf } from "../seats.js";
import { isAsked, plays } from "../store.js";
import { label, say, says } from "../words.js";

// rowOf returns the row of a cell, and the part of it that `what` names.
export function rowOf(v, what) {
  const row = v.sheet?.rows.find(r => r.id === what || r.parts?.some(p => p.id === what));
  return { row, part: row?.parts?.find(p => p.id === what) };
}

const named = (v, row) => row.round ? say("page.round", { n: row.round }) : label(v, "row", row.id);

export function counted(v, what) {
  const { row, part } = rowOf(v, what);
  return !row ? label(v, "counter", what) : named(v, row) + (part ? " · " + label(v, "part", part.name) : "");
}

const MOST = 10; // rounds that have room beside each other; a phone shows the last three

// sheet draws a line for each seat or team, with its rounds from the left. The lines of a sheet
// that names its rows are those rows.
export function sheet({ live }) {
  const { columns, rows } = live.view.sheet, across = rows.every(r => r.round);
  return h("section", { class: "scores", "data-k": "sheet", "aria-label": say("sheet.title"), tabindex: 0 },
    h("table", { class: across ? "rounds" : "" },
      across ? byRound(live, columns, rows.slice(-MOST)) : byRow(live, columns, rows)));
}

function byRound(live, columns, rows) {
  const v = live.view, now = r => r.round === v.round ? " now" : "", far = i => i < rows.length - 3 ? "far" : "";
  return [
    h("thead", null, h("tr", null, h("td", null),
      rows.map((r, i) => h("th", {
        scope: "col", "data-k": r.id, class: far(i) + now(r), "aria-label": named(v, r),
        "aria-current": now(r) ? "true" : null,
      }, h("span", null, r.round))),
      h("th", { scope: "col", "data-k": "sum" }, say("sheet.total")))),
    h("tbody", null, columns.map(c => h("tr", {
      "data-k": c[0], class: c.some(isAsked) ? "asked" : "", style: palette(seatOf(v, c[0]).colour),
    },
      h("th", { scope: "row" }, c.map(id => who(v, id))),
      rows.map((r, i) => h("td", { "data-k": r.id, class: far(i) + now(r) + best(v, r, c) }, cell(live, r, c))),
      h("td", { "data-k": "sum", class: "sum" }, Object.values(seatOf(v, c[0]).counters)[0])))),
  ];
}

const byRow = (live, columns, rows) => [
  h("thead", null, h("tr", null, h("td", null), columns.map(c =>
    h("th", { scope: "col", "data-k": c[0] }, c.map(id => who(live.view, id)))))),
  h("tbody", null, rows.map(r => h("tr", { "data-k": r.id },
    h("th", { scope: "row" }, named(live.view, r)), columns.map(c => h("td", { "data-k": c[0] }, cell(live, r, c)))))),
];

const seatOf = (v, id) => v.seats.find(s => s.id === id);

// best marks the cell with the best points of a round that all have points in.
function best({ sheet: { columns, low } }, { cells }, [id]) {
  const all = Object.values(cells), most = low ? Math.min(...all) : Math.max(...all);
  return all.length === columns.length && cells[id] === most && all.some(n => n !== most) ? " best" : "";
}

const who = (v, id) => h("span", { "data-k": id, style: palette(seatOf(v, id).colour) },
  shape(shapesOf(v)[id]), seatName(v, id));

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
