// A game that only counts: each seat with its number and what changes it, or the score sheet:
// what each seat or team got in each round, corrected by pointing.

import { button, h } from "../dom.js";
import { signs } from "../keys.js";
import { palette, paletteOf, scoreFirst, seatName, shape, shapesOf } from "../seats.js";
import { byRounds, isAsked, isBeside, isOfDeal, onSheet, plays, state, winning } from "../store.js";
import { label, say, says } from "../words.js";
import { box, header } from "./arena.js";
import { answer } from "./ask.js";
import { amount } from "./card.js";

export function tally(state) {
  const { live } = state, v = live.view;
  return onSheet() ? sheet(state) : v.seats.map(s => counting(live, s));
}

// counting draws a seat: the number that counts now large, and the answers that change it.
function counting(live, s) {
  const v = live.view, p = v.prompts.find(p => p.seat === s.id), can = live.writes && p && plays(s.id);
  const all = scoreFirst(s.counters), chosen = p && counterOf(v, s.id, p.options);
  const [name, n] = all.find(([c]) => c === chosen) ?? all[0] ?? [];
  const wins = live.writes && plays(s.id) && winning(v, s.id);
  const counts = can && pad(live, p, p === v.prompts[0]);
  const rest = can ? p.options.filter(o => !by(o) && !isBeside(o) && !signs[o.key]) : [], more = counts ? rest : [];
  const selects = can && p.options.some(o => o.key === "left");
  const kinds = all.length + more.length > 1 && h("div", { class: "kinds", "data-k": "kinds" },
    all.map((one, i) => [
      i > 0 && dealt(one) && !dealt(all[i - 1]) && h("em", { "data-k": "dealt" }, say("tally.commander")),
      kind(live, s.id, one, name, selects)]), more.map(o => answer(live, p, o, null, false)));
  const leading = leads(v, s) && h("span", { class: "tag", "data-k": "leads" }, say("tally.leads"));
  return box(v, s, " counts",
    header(live, s, leading, name ? [
      toGo(v, ...all[0]), h("span", { class: "score", "data-k": "score" }, h("b", null, n))] : []),
    h("div", { class: "body" },
      name && h("b", { class: "huge", "data-k": "huge", style: { "--digits": Math.max(2, String(n).length) } },
        amount(live, s.id, name, n)),
      wins && answer(live, null, wins),
      kinds,
      counts,
      !counts && choices(live, p, rest)));
}

const dealt = ([c]) => c.startsWith("from-"); // by a single opponent

// kind draws one of several counters: pressed, it is the one that counts, or where none can be chosen
// it is corrected. What a single opponent has dealt has the shape of that opponent.
function kind(live, seat, [c, n], chosen, selects) {
  const v = live.view, from = v.seats.find(s => c === "from-" + s.id), word = label(v, "counter", c), on = c === chosen;
  const inside = [from ? shape(shapesOf(v)[from.id]) : word, " ", h("b", null, n)];
  const is = {
    "data-k": c, class: on && (selects || !plays(seat)) ? "on" : "",
    ...from && { style: palette(from.colour), title: word, "aria-label": says(word, n) },
  };
  if (!plays(seat) || c === "end") return h("span", is, inside);
  const act = selects ? ["input", { "data-input": `${seat} choose ${c}`, "aria-pressed": String(on) }] :
    ["number", { "data-seat": seat, "data-what": c, "data-value": n, "aria-haspopup": "dialog" }];
  return button(act[0], { ...is, ...act[1] }, inside);
}

const choices = (live, p, list) => list.length > 0 && h("div", {
  class: "pad choices" + (list.some(o => o.text.length > 3) ? " worded" : ""), "data-k": "choices",
}, list.map(o => answer(live, p, o, null, false)), p.key === "fill" && other(live.view, p));

// other opens the digits for the row that is filled.
function other(v, { seat, args }) {
  const row = v.sheet.rows.find(r => args.row === "row." + r.id || args.row.slice(1) === label(v, "row", r.id));
  return button("number", {
    class: "a any", "data-k": "any", "data-seat": seat, "data-what": row.id, "data-value": "",
    "aria-haspopup": "dialog",
  }, say("pad.any"));
}

// toGo draws how far a number is from the one that ends the match.
function toGo({ tracks: [track] }, name, n) {
  const target = track?.areas.find(a => a.id === "target")?.from, left = Math.abs(target - n);
  return left > 0 && track.id === name &&
    h("span", { class: "togo", "data-k": "togo" }, say("tally.to-go", { n: left }));
}

function leads(v, s) {
  const columns = v.sheet?.columns ?? [], sign = v.sheet?.low ? -1 : 1;
  const points = c => sign * scoreFirst(v.seats.find(s => s.id === c[0]).counters)[0]?.[1];
  const own = columns.find(c => c.includes(s.id));
  return columns.length > 1 && columns.every(c => c === own || points(own) > points(c));
}

const amounts = [-10, -5, -1, 1, 5, 10];

// by returns by how much an answer moves a counter, or 0.
const by = o => ({ gain: 1, lose: -1 })[o.key] * o.args?.n || 0;

// stepOf returns what one press of plus or minus changes, or 0 if a prompt is not
// one that counts.
const stepOf = options => Math.abs(by(options.find(o => by(o) && / key (plus|minus)$/.test(o.input)) ?? {}));

// pad draws the pad of a prompt, or returns null. The first prompt's buttons have
// numbers for the keyboard, from the left, and show the cursor.
function pad(live, { seat, options }, first) {
  const step = stepOf(options);
  if (!step) return null;
  return h("div", { class: "pad", role: "group", "aria-label": say("pad.title") }, amounts.map((n, i) => {
    const sum = n * step, o = options.find(o => by(o) === sum);
    const cursor = first && o && live.view.prompts[0].options.indexOf(o) === live.status.cursor ? " cursor" : "";
    return button("input", {
      class: "a" + (n < 0 ? " down" : " up") + cursor, "data-k": "pad" + n, "data-input": o?.input,
      "data-number": first ? i + 1 : null, disabled: !o, "aria-label": o?.text,
    }, (sum < 0 ? "−" : "+") + Math.abs(sum));
  }), button("number", {
    class: "a any", "data-k": "any", "data-seat": seat, "data-what": counterOf(live.view, seat, options),
    "data-value": "", "data-add": 1, "data-number": first ? 7 : null, "aria-haspopup": "dialog",
  }, say("pad.any")));
}

// counterOf returns the counter that the answers change, which they name as people do, or
// undefined.
function counterOf(v, seat, options) {
  const names = Object.keys(v.seats.find(s => s.id === seat).counters), { counter } = options.find(by)?.args ?? {};
  if (!counter) return undefined;
  return names.find(n => counter === "counter." + n) ?? names.find(n => counter.endsWith(label(v, "counter", n)));
}

function rowOf(v, what) {
  const row = byRounds(v).find(r => r.id === what || r.parts?.some(p => p.id === what));
  return { row, part: row?.parts?.find(p => p.id === what) };
}

const named = (v, row) => row.round ? say("page.round", { n: row.round }) : label(v, "row", row.id);

function counted(v, what) {
  const { row, part } = rowOf(v, what);
  return !row ? label(v, "counter", what) : named(v, row) + (part ? " · " + label(v, "part", part.name) : "");
}

const MOST = 10; // rounds that have room beside each other; a phone shows the last three

// sheet draws a line for each seat or team, with its rounds from the left. The lines of a sheet
// that names its rows are those rows.
function sheet({ live }) {
  const { columns } = live.view.sheet, rows = byRounds(live.view), across = rows.every(r => r.round);
  return h("section", { class: "scores", "data-k": "sheet", "aria-label": say("sheet.title"), tabindex: 0 },
    h("table", { class: across ? "rounds" : "" },
      across ? acrossRounds(live, columns, rows.slice(-MOST)) : byRow(live, columns, rows)), deals(live.view, rows));
}

// deals says what was entered for the points of the last rounds.
function deals(v, rows) {
  const list = rows.filter(r => r.deal).slice(-3).reverse();
  return list.length > 0 && h("ul", { class: "deals", "data-k": "deals" }, list.map(r => h("li", { "data-k": r.id },
    h("b", null, r.round), " ", r.deal.map(w => w.text).join(" · "))));
}

function acrossRounds(live, columns, rows) {
  const v = live.view, now = r => r.round === v.round ? " now" : "", far = i => i < rows.length - 3 ? "far" : "";
  return [
    h("thead", null, h("tr", null, h("td", null),
      rows.map((r, i) => h("th", {
        scope: "col", "data-k": r.id, class: far(i) + now(r), "aria-label": named(v, r),
        "aria-current": now(r) ? "true" : null,
      }, h("span", null, r.round))),
      h("th", { scope: "col", "data-k": "sum" }, say("sheet.total")))),
    h("tbody", null, columns.map(c => h("tr", {
      "data-k": c[0], class: c.some(isAsked) ? "asked" : "", style: paletteOf(v, c[0]),
    },
      h("th", { scope: "row" }, c.map(id => who(v, id))),
      rows.map((r, i) => h("td", { "data-k": r.id, class: far(i) + now(r) + best(v, r, c) }, cell(live, r, c))),
      h("td", { "data-k": "sum", class: "sum" }, total(v, c))))),
  ];
}

// total draws the points of a seat or team, with its bags.
function total(v, [id]) {
  const [[, points], ...more] = Object.entries(v.seats.find(s => s.id === id).counters);
  return [points,
    v.prompts.some(isOfDeal) && more.map(([c, n]) => h("small", { "data-k": c }, label(v, "counter", c), " ", n))];
}

const byRow = (live, columns, rows) => [
  h("thead", null, h("tr", null, h("td", null), columns.map(c =>
    h("th", { scope: "col", "data-k": c[0] }, c.map(id => who(live.view, id)))))),
  h("tbody", null, rows.map(r => h("tr", { "data-k": r.id },
    h("th", { scope: "row" }, named(live.view, r)), columns.map(c => h("td", { "data-k": c[0] }, cell(live, r, c))))),
  h("tr", { "data-k": "sum" },
    h("th", { scope: "row" }, say("sheet.total")),
    columns.map(c => h("td", { "data-k": c[0], class: "sum" }, total(live.view, c))))),
];

// best marks the cell with the best points of a round that all have points in.
function best({ sheet: { columns, low } }, { cells }, [id]) {
  const all = Object.values(cells), most = low ? Math.min(...all) : Math.max(...all);
  return all.length === columns.length && cells[id] === most && all.some(n => n !== most) ? " best" : "";
}

const who = (v, id) => h("span", { "data-k": id, style: paletteOf(v, id) },
  shape(shapesOf(v)[id]), seatName(v, id));

// isTyped reports whether the digits beside the sheet are for a cell.
const isTyped = (v, row, seat) => state.dialog?.beside && state.dialog.seat === seat &&
  rowOf(v, state.dialog.what).row?.id === row.id;

function cell({ view: v }, row, column) {
  const [first] = column, seat = column.find(plays), n = row.cells[first];
  const parts = (row.parts ?? []).filter(p => first in p.cells);
  const text = [n ?? say("sheet.empty"), ...parts.map(p => `${label(v, "part", p.name)} ${p.cells[first]}`)];
  return [
    !seat ? n ?? "" : button("number", {
      class: "amount" + (isTyped(v, row, seat) ? " on" : ""), "data-seat": seat, "data-what": row.id,
      "data-value": n ?? "", "aria-haspopup": "dialog",
      "aria-label": says(`${seatName(v, seat)}, ${named(v, row)}`, text.join(", ")),
    }, n ?? ""),
    parts.length > 0 && h("small", seat ? { "aria-hidden": "true" } : null,
      parts.map(p => p.cells[first]).join(" / ")),
  ];
}

// number draws the stepper, with the digits for fingers.
export function number({ live: { view: v }, dialog: { seat, what, value, can, add } }) {
  const { row } = rowOf(v, what), [column] = v.sheet?.columns.find(c => c.includes(seat)) ?? [];
  const title = say("mend.of", { name: seatName(v, seat), what: (add ? "± " : "") + counted(v, what) });
  if (can === false) return [title, h("p", null, say("mend.follows"))];
  const key = (act, sign, attributes) => button(act, { class: "a key", ...attributes }, sign);
  const other = ({ id, cells }, text) => button("number", {
    class: "plain", "data-k": id, "data-seat": seat, "data-what": id, "data-value": cells[column] ?? "",
    "aria-pressed": String(id === what),
  }, text);
  return [title, h("form", { "data-act": "setNumber", method: "dialog", class: "stepper" },
    row?.parts && h("div", { class: "others" }, other(row, say("sheet.points")),
      row.parts.map(p => other(p, label(v, "part", p.name)))),
    key("step", "−", { "data-by": -1, "aria-label": say("key.minus") }),
    h("input", {
      type: "number", name: "value", value, "data-act": "typed", "data-planned": "", required: !row, autofocus: true,
      autocomplete: "off", inputmode: "none", "aria-label": title,
    }),
    key("step", "+", { "data-by": 1, "aria-label": say("key.plus") }),
    h("button", { type: "submit", class: "a primary" }, say("page.ok")),
    h("div", { class: "digits" }, [..."123456789±0⌫"].map(d => key("digit", d, {
      "data-digit": d, "aria-label": { "±": say("sheet.sign"), "⌫": say("sheet.delete") }[d],
    }))))];
}
