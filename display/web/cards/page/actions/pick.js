// Actions that pick what a card does. state.workshop.picking holds the ability that is open: its
// field, what the table shows of it, which of its effects is set, and whether others are offered.

import { change, state } from "../store.js";
import { offers, printed, printedIn, rowsOf } from "../workshop-lines.js";
import { send } from "./server.js";
import { set } from "./workshop-form.js";
import { put } from "./workshop.js";

const more = patch => put({ picking: { ...state.workshop.picking, ...patch } });

// ability opens an ability, or closes it. One that says nothing yet begins with what it may say, or
// with what the printed words may mean.
export async function ability({ field }) {
  const begun = { field, shown: null, line: -1, adding: false, other: false, tile: 0, sought: "", hand: false,
    read: "", clauses: [] };
  put({ picking: state.workshop.picking?.field === field ? null : begun });
  await order({});
  const { picking: now, values } = state.workshop;
  if (now?.field === field && !values[field] && !now.clauses.some(c => c.says.length)) addEffect();
}

let last = Promise.resolve(); // the orders are carried out one after the other

const order = o => last = last.then(() => carry(o));

async function carry(o) {
  const { game, card, picking, values } = state.workshop, field = picking?.field, value = values[field] ?? "";
  if (!picking) return;
  const unread = picking.shown?.unread && value, words = printedIn(value) ?? (unread || null);
  const text = words === null || unread && !o.do ? value : "", whole = words || values.text || "";
  const printed = whole === picking.read ? "" : whole;
  const answer = await send("/api/cards/pick", { game, line: card.line, field, text, printed, ...o });
  if (state.workshop.card !== card || state.workshop.picking?.field !== field) return;
  if (!answer.ok) return put({ said: answer.text });
  const shown = answer.said;
  if (o.do) {
    // What was kept as it is printed stays beside the effects.
    if (words) put({ values: { ...state.workshop.values, text: [values.text, words].filter(Boolean).join(" ") } });
    set(field, shown.said[state.lang] ?? "");
  }
  more({ shown, ...(printed || !whole ? { read: whole, clauses: shown.clauses ?? [] } : {}) });
}

const PAUSE = 400; // milliseconds between a stroke and the proposals

let timer = null;

// print takes what is printed on the card, and has it read.
export function print({ field, value }) {
  set(field, value);
  clearTimeout(timer);
  timer = setTimeout(() => state.workshop.picking && order({}), PAUSE);
}

// addEffect offers effects, and otherEffect those that may replace the one that is set.
export function addEffect() {
  more({ adding: true, other: false, line: -1, sought: "" });
  focus(".picker [aria-pressed=true]");
}

export function otherEffect() {
  more({ adding: true, other: true, sought: "" });
  focus(".picker [aria-pressed=true]");
}

export const tile = ({ n }) => more({ tile: Number(n), sought: "" });
export const seekEffect = ({ value }) => more({ sought: value });

export function shutEffects() {
  more({ adding: false });
  focus(".adds");
}

// takeEffect takes an effect that is offered.
export async function takeEffect({ row, words }) {
  const { line, other: replaces, shown } = state.workshop.picking;
  await order(replaces ? { do: "replace", at: shown.lines[line].at, row } : { do: "add", row, words });
  const { picking } = state.workshop;
  if (!picking?.shown) return;
  more({ adding: false, other: false, hand: false, line: replaces ? line : picking.shown.lines.length - 1 });
  focus(".setting .chip");
}

// picked takes the first one that is found.
export function picked() {
  const { box, card, values, picking } = state.workshop;
  const { tiles } = rowsOf(box, card, values).find(row => row.field === picking?.field) ?? {};
  const [first] = picking?.adding && tiles ? offers(tiles, picking) : [];
  if (first) takeEffect({ row: first.row });
}

export function openEffect({ n }) {
  more({ line: state.workshop.picking.line === Number(n) ? -1 : Number(n), adding: false });
}

export const slot = ({ at, row, value, n }) => order({ do: "set", at, row: row ?? value, n: n && Number(n) });

// removeEffect and moveEffect change the effect with a number.
export async function removeEffect({ n }) {
  more({ line: -1 });
  await order({ do: "remove", at: state.workshop.picking.shown.lines[n].at });
  focus(".adds");
}

export async function moveEffect({ n, by }) {
  const to = Number(n) + Number(by);
  await order({ do: "move", at: state.workshop.picking.shown.lines[n].at, n: Number(by) });
  more({ line: to });
  focus(`.setting [data-by="${by}"]:not(:disabled), .setting [data-act=moveEffect]:not(:disabled)`);
}

// byHand keeps words as they are printed, to be resolved by hand.
export function byHand() {
  more({ hand: true, adding: false, line: -1 });
  focus(".ability.open textarea");
}

// handWords sets these words.
export const handWords = ({ field, value }) => print({ field, value: value.trim() && printed(value) });

const focus = on => change({ focus: { on } });
