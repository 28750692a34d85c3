// The lines of a card file, and the values in them.

import { plain } from "./plain.js";

// formOf returns the form of a card.
export const formOf = (box, card) => box.forms.find(f => f.line === card.line);

// nameOf returns what a card of the box is called.
export const nameOf = (box, about) => box?.cards.find(c => c.about === about)?.name ?? about;

// rowsOf lists the fields that a card has by what it is.
export const rowsOf = (box, card, values) => formOf(box, card).rows.filter(row =>
  !row.only || row.only.includes(values.kind));

// isMadeUp reports whether nothing is known of a card but what this project made up.
const isMadeUp = card => !Object.keys(card.box).length && Object.keys(card.stand_in).length > 0;

// valuesOf returns what is known of a card, by field. Of one that is made up, its kind
// and its genes are right: it stands for a card that has them.
export function valuesOf(box, card) {
  const values = Object.fromEntries(Object.entries(card.box).filter(([, value]) => !/^[?/,]+$/.test(value)));
  for (const row of isMadeUp(card) ? formOf(box, card).rows : []) {
    const value = card.stand_in[row.field];
    if (value && ["word", "words", "flag"].includes(row.kind)) values[row.field] = value;
  }
  for (const { field, value } of card.own) if (field && value !== "?") values[field] = value;
  return values;
}

// alike returns what a card probably has in common with the one that was saved before it: a
// box is sorted, and more of the same kind follow.
export const alike = (box, card, last) => Object.fromEntries(formOf(box, card).rows
  .filter(row => row.required && row.kind === "word" && last[row.field]).map(row => [row.field, last[row.field]]));

// idOf returns the id of a card: a new one has that of its title.
export const idOf = (card, values) => !card.fresh ? card.id :
  (values.en || values.fr || "").normalize("NFD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^[0-9-]+|-+$/g, "")
    .slice(0, 40).replace(/-+$/, "");

const isQuoted = row => row.kind === "quoted" || row.kind === "prose";

const quoted = text => '"' + text.trim().replace(/\s+/g, " ").replace(/[\\"]/g, "\\$&") + '"';

// printed returns a value for words that are kept as they are printed.
export const printed = text => "text " + quoted(text);

// printedIn returns the words of such a value, or null.
export function printedIn(value) {
  const words = /^text "(.*)"$/s.exec(value)?.[1];
  return words === undefined ? null : words.replace(/\\([\\"])/g, "$1");
}

const headOf = (card, values, row) => [card.line, idOf(card, values), row.field].filter(Boolean).join(" ") + " ";

// linesOf returns what the owner's file says about a card: { text, field }. What the box
// says already is left out, and lines for which there is no field stay.
export function linesOf(box, card, values) {
  const rows = rowsOf(box, card, values), lines = [];
  for (const row of rows) {
    const value = (values[row.field] ?? "").trim();
    if (!value || value === card.box[row.field]) continue;
    const same = card.own.findLast(o => o.field === row.field && o.value.trim() === value);
    const said = isQuoted(row) ? quoted(value) : row.kind === "flag" ? "" : value.replace(/\s+/g, " ");
    lines.push({ text: same?.text ?? (headOf(card, values, row) + said).trim(), field: row.field });
  }
  const known = formOf(box, card).rows.map(row => row.field);
  for (const { text, field } of card.own) if (!known.includes(field)) lines.push({ text, field: "" });
  return lines;
}

// isNamed reports whether a card of the box has a name in a language, or lacks only that.
export const isNamed = (box, card, field) =>
  card.id !== "" && !isMadeUp(card) && formOf(box, card).rows.some(row => row.field === field);

// nameLines returns what the owner's file says about a card that has a name in a language.
export function nameLines(box, card, field, name) {
  const others = card.own.filter(o => o.field !== field).map(o => o.text);
  if (!name.trim() || name.trim() === card.box[field]) return others;
  return [...others, headOf(card, {}, { field }) + quoted(name)];
}


// lackOf returns the field that a card needs and lacks, if that is what is wrong.
export const lackOf = (box, card, values, { suggest }) => rowsOf(box, card, values).find(row =>
  row.required && !values[row.field] && suggest?.startsWith(headOf(card, values, row)));



// silent lists what nobody has said yet about a card, and may be nothing: a card rarely has
// every ability that there is.
export const silent = (box, card, values) => rowsOf(box, card, values).filter(row =>
  row.kind === "sentence" && card.gaps.includes(row.field) && !values[row.field] && row.none);

// isOpen reports whether something of a card is still to be said.
export const isOpen = card => ["missing", "stand-in", "wrong"].includes(card.state);

// nextOf returns the next card of which something is to be said, after one or from the beginning.
export function nextOf(box, about) {
  const at = box.cards.findIndex(c => c.about === about), open = c => c.id && isOpen(c);
  return box.cards.slice(at + 1).find(open) ?? box.cards.find(c => open(c) && c.about !== about);
}

// isSought reports whether a card has all the words that were typed.
export const isSought = (sought, card) =>
  plain(sought).split(/\s+/).every(word => plain(card.name + " " + card.id).includes(word));

const HITS = 12; // that are shown of what is sought

// offers lists the effects that a form shows: those of the tile that is open, or what is sought in
// all of them.
export function offers(tiles, { tile, sought }) {
  const words = plain(sought).trim().split(/\s+/);
  if (!words[0]) return (tiles[tile] ?? tiles[0]).picks;
  return tiles.flatMap(t => t.picks).filter(p => words.every(w => plain(p.search).includes(w))).slice(0, HITS);
}
