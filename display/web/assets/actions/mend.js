// Corrections by pointing: a number, the place of a card, and moves taken back; and the
// form that asks for all of a card.

import { locate } from "../cards.js";
import { acting, byRounds, cardOf, change, dealForm, onSheet, plays, question, state } from "../store.js";
import { deal } from "./deal.js";
import { input } from "./match.js";
import { close, show, showing } from "./page.js";
import { send } from "./server.js";

// tried returns what the table would answer to corrections: the fingerprint of
// the view after each, "" for a refusal, and that of the view now.
async function tried(inputs) {
  const { ok, said } = await send("/api/try", { inputs });
  return ok ? said : { now: "", results: inputs.map(() => "") };
}

// number opens the stepper of a counter or a cell; with add, for an amount that is added.
// A number that follows from the cards cannot be set. From one number of a seat to another,
// what is typed stays.
export async function number({ seat, what, value, add }) {
  const was = state.dialog, stays = was?.name === "number" && was.seat === seat && !was.add;
  const numbers = stays ? { ...was.numbers, [was.what]: { value: was.value, before: was.before } } : {};
  const one = numbers[what] ?? { value, before: value };
  const beside = onSheet() && !add;
  const dialog = show({ name: "number", seat, what, ...one, numbers, add, beside, fresh: true, can: null });
  if (add) return;
  const { results: [result] } = await tried([`${seat} set ${what} ${value || 0}`]);
  showing(dialog, { can: result !== "" });
}

export const typed = ({ value }) => showing(state.dialog, { value, fresh: false });
export const step = ({ by }) => typed({ value: String((Number(state.dialog.value) || 0) + Number(by)) });
export function digit({ digit: d }) {
  const { value, fresh } = state.dialog, now = String(value);
  if (d === "±") typed({ value: String(-now || "") });
  else if (d === "⌫") typed({ value: fresh ? "" : now.slice(0, -1).replace("-", "") && now.slice(0, -1) });
  else if (fresh || now.length < 6) typed({ value: String(Number((fresh ? "" : now) + d)) });
}

export async function setNumber({ value }) {
  const { seat, what, before, numbers, add, beside } = state.dialog, all = { ...numbers, [what]: { value, before } };
  close();
  if (add) return String(value) !== String(before) && enter(seat, what, Number(value));
  for (const [what, { value, before }] of Object.entries(all)) {
    if (String(value) !== String(before) && !await sendNumber(seat, what, value, before)) return;
  }
  if (beside) fill(seat, true);
}

// fill asks for the next points that the round lacks: those of a seat first, or those after its own.
export function fill(seat, done) {
  if (dealForm()) return state.narrow || deal();
  const row = byRounds(state.live.view).at(-1), next = row?.round && lacking(row, seat, done);
  if (next) number({ seat: next, what: row.id, value: "" });
}

// lacking returns the next seat without points in a round. Where seats take turns, there is only one.
function lacking({ cells }, seat, done) {
  const { sheet: { columns }, turn } = state.live.view, at = Math.max(0, columns.findIndex(c => c.includes(seat)));
  const lacks = c => !(c[0] in cells || done && c.includes(seat) || turn && !c.includes(turn));
  return [...columns.slice(at), ...columns.slice(0, at)].find(lacks)?.find(plays);
}

function sendNumber(seat, what, value, before) {
  const { view: v } = state.live, n = Number(value);
  const asked = v.prompts.some(p => p.seat === seat && (p.key === "row" || p.key === "fill"));
  const fills = asked && before === ""; // a row, in one's turn
  return input({ input: `${seat} ${fills ? "choose" : "set"} ${what} ${value === "" ? "none" : n}` });
}

// enter adds an amount, and where all count at once asks for that of the next seat. Where
// there is a sheet, the table knows what a number without a sign means.
async function enter(seat, what, n) {
  const { sheet, turn, round } = state.live.view, row = !turn && sheet?.rows.find(r => r.round === round);
  const next = row && lacking(row, seat, true);
  const done = await input({ input: `${seat} choose ${n > 0 && !sheet ? "+" : ""}${n}` });
  if (done && next) number({ seat: next, what, value: "", add: 1 });
}

// card opens a card at full size, with why it does not answer and where it may go.
export async function card({ card: id, place, why, ids }) {
  const shown = cardOf(place, id), one = ids && state.live.writes ? locate(state.live.view, ids) : null;
  change({ zoom: null });
  if (!shown && !why) return;
  const dialog = show({ name: "cards", shown, place, card: id, why, owner: one?.owner, moves: one ? null : [] });
  if (!one) return;
  const places = placesFor(state.live.view, one), { now, results } = await tried(places.map(p => p.line));
  const other = (result, i) => result !== "" && result !== now && results.indexOf(result) === i;
  showing(dialog, { moves: places.filter((_, i) => other(results[i], i)) });
}

// placesFor lists the places to try for a card, those of its owner first. A place
// without open cards is a counter. In its own place it may change its state.
function placesFor(view, { card, owner, zone }) {
  const id = card.card + "." + card.copy, last = s => s.id !== owner;
  const seats = [...view.seats, { ...view, id: "table" }].sort((a, b) => last(a) - last(b));
  const states = Object.keys(view.labels ?? {}).filter(k => k.startsWith("state.")).map(k => k.slice(6));
  const line = (seat, place, state) => ({
    seat, place, state, line: `${seat} set ${id} ${place}${state ? " " + state : ""}`,
  });
  const places = seats.flatMap(s =>
    [...Object.keys(s.zones), ...Object.keys(s.counters)].map(place => line(s.id, place)));
  return [line(owner, zone), ...states.map(s => line(owner, zone, s)), ...places]
    .filter(p => plays(p.seat)).slice(0, 64);
}

export const back = ({ entry }) => show({ name: "back", entry: Number(entry) });

// undoTo takes back all moves after a line of the log. It stops if somebody else
// makes a move meanwhile.
export async function undoTo() {
  const { entry } = state.dialog, { view, history } = state.live;
  close();
  let { seq } = view;
  for (let n = history.find(e => e.n === entry)?.back ?? 0; n > 0; n--) {
    const { ok, said } = await send("/api/input", { input: `${acting()} undo` });
    if (!ok || said.seq !== ++seq) return;
  }
}

export const openForm = () => show({ name: "cardForm", form: question().form, values: {}, trouble: "" });

// formWord chooses a word of a field, or takes it back. "none" stands alone.
export function formWord({ field, word }) {
  const { form, values } = state.dialog, { most, again } = form.fields.find(f => f.field === field);
  const all = values[field] ?? [];
  let now = [...all.filter(w => w !== "none"), word];
  if (all.includes(word) && (!again || all.length === most)) now = all.filter(w => w !== word);
  else if (most === 1 || word === "none") now = [word];
  if (now.length <= most) showing(state.dialog, { values: { ...values, [field]: now } });
}

// sendForm enters what is filled in, as one input. A refusal keeps the form open.
export async function sendForm() {
  const { dialog } = state, { form, values } = dialog, kind = values.kind?.[0];
  showing(dialog, { trouble: "" });
  const said = ({ field, quote, only }) => {
    const value = values[field];
    if (!value?.length || only && !only.includes(kind)) return "";
    const text = Array.isArray(value) ? value.join(" ") : value.trim().replaceAll("|", "/");
    return text && field + " " + (quote ? JSON.stringify(text) : text);
  };
  const filled = form.fields.map(said).filter(Boolean);
  if (!filled.length) return close();
  const answer = await send("/api/input", { input: `${form.input} ${JSON.stringify(filled.join(" | "))}` });
  if (!answer.ok) showing(dialog, { trouble: answer.text });
  else if (state.dialog?.id === dialog.id) close();
}
