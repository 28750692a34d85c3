// Actions of the form of a card.

import { change, state } from "../store.js";
import { say } from "../words.js";
import { idOf, lackOf, linesOf, nextOf, printed, printedIn, silent, valuesOf } from "../workshop-lines.js";
import { put as replace, send } from "./server.js";
import { address, another, isTyped, left, load, paper, put, show } from "./workshop.js";

const PAUSE = 250; // milliseconds between a stroke and the check

let checks = 0, timer = null;

// set changes the value of a field.
export function set(field, value) {
  put({ values: { ...state.workshop.values, [field]: value }, said: "", back: null });
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

export const enter = ({ field, value, rest = "" }) => set(field, value && value + rest);
export const choose = ({ field, choice }) => set(field, state.workshop.values[field] === choice ? "" : choice);
export const mark = ({ field, value }) => set(field, printed(value));

// counted sets the number after a word, "first-contact 2", or the word of it.
export function counted({ field, word, n }) {
  const [was = "", number = "1"] = (state.workshop.values[field] ?? "").split(" ");
  set(field, `${word ?? was} ${n ?? number}`);
}

// per sets what a number counts, "1 per necro".
export function per({ field, per: word }) {
  const [n = "1", , was] = (state.workshop.values[field] || "1").split(" ");
  set(field, word === was ? n : `${n} per ${word}`);
}

// pick adds a word to a field, or removes it; less removes it once.
export function pick({ field, word, most, again }) {
  const words = chosen(field), at = words.indexOf(word);
  if (word === "none") return set(field, words.join() === "none" ? "" : "none");
  if (at >= 0 && !again) words.splice(at, 1);
  else if (words.length < most) words.push(word);
  set(field, words.filter(w => w !== "none").join(" "));
}

export function less({ field, word }) {
  const words = chosen(field), at = words.lastIndexOf(word);
  if (at < 0) return;
  words.splice(at, 1);
  set(field, words.join(" "));
  if (!words.includes(word)) change({ focus: { on: `[data-act=pick][data-field="${field}"][data-word="${word}"]` } });
}

const chosen = field => (state.workshop.values[field] ?? "").split(" ").filter(w => w && w !== "inferred");

// keep keeps the words of a field as they are printed; read lets them be understood again.
// Where a field takes no such words, they go to all the words on the card.
export function keep({ field, keeps }) {
  const { values } = state.workshop, words = values[field] ?? "";
  if (keeps) return set(field, printed(words));
  put({ values: { ...values, text: [values.text, words].filter(Boolean).join(" ") } });
  set(field, "?");
}

export const read = ({ field }) => set(field, printedIn(state.workshop.values[field]) ?? "");

// nothingElse says that no other ability is printed on the card.
export function nothingElse() {
  const { box, card, values } = state.workshop;
  for (const { field } of silent(box, card, values)) set(field, "none");
}

// check asks the table what is wrong with the lines, and what they say.
async function check() {
  const { box, card, values } = state.workshop, n = ++checks;
  if (!card) return;
  const about = card.about || idOf(card, values), lines = linesOf(box, card, values);
  const before = card.line === "category" ? [] :
    box.cards.filter(c => c.line === "category").flatMap(c => c.own.map(o => o.text));
  const text = [...before, ...lines.map(l => l.text)].join("\n");
  const answer = await send("/api/cards/check", { game: state.workshop.game, text, card: about });
  if (n !== checks || state.workshop.card !== card) return;
  if (answer.status === 429) timer = setTimeout(check, PAUSE);
  if (!answer.ok) return;
  const problems = answer.said.problems.filter(p => p.line > before.length)
    .map(p => told(p, lines[p.line - 1 - before.length]?.field ?? ""));
  const { name, says } = answer.said;
  put({ problems, ...(says ? { preview: { name, says } } : {}) });
  if (!problems.length) paper();
}

// told returns a mistake with its field. A line that is missing is a field to fill.
function told(p, field) {
  const { box, card, values } = state.workshop, lack = lackOf(box, card, values, p);
  return lack ? { ...p, field: lack.field, text: say("cards.lacks", { name: lack.title }) } : { ...p, field };
}

// save replaces what the owner's file says about the card. Somebody else may have changed
// it meanwhile: then both are shown. leaves goes on with what was asked for before.
export async function save({ next, over, leaves }) {
  const { box, game: title, card, values, busy, conflict, leaving } = state.workshop;
  if (busy) return;
  if (next && !over && !isTyped() && !card.fresh) return follow(card, {});
  const about = card.about || idOf(card, values), lines = linesOf(box, card, values).map(l => l.text);
  put({ busy: true, leaving: null });
  const tag = over ? conflict.tag : card.tag ?? box.tag; // the last one is that of no lines
  const answer = await replace(`/api/cards/${title}/${encodeURIComponent(about)}`, { lines }, tag);
  if (answer.ok) {
    await load();
    if (state.workshop.card !== card) return put({ busy: false });
    if (state.workshop.values !== values) return typedOn(about);
    saved(about, next);
    return leaves && left(leaving);
  }
  put({ busy: false });
  if (state.workshop.card !== card) return; // another card was opened meanwhile
  if (answer.status === 412) return differs(about);
  const [first] = answer.said?.problems ?? [];
  put({ said: first ? told(first, "").text : answer.text });
}

function typedOn(about) {
  const { box, card } = state.workshop;
  const now = box.cards.find(c => c.about === about) ?? card;
  put({ card: now, begun: valuesOf(box, now), busy: false, conflict: null });
  address();
  return check();
}

function saved(about, next) {
  const { box, values, card: { fresh, line } } = state.workshop, card = box.cards.find(c => c.about === about);
  put({ busy: false, back: null });
  if (next) {
    follow({ about, fresh, line }, values);
  } else {
    show(card || null);
    address();
    if (fresh) change({ focus: { on: "#card h2" } });
  }
  put({ said: "saved", lastSaved: card?.name ?? about });
}

// follow opens the next card, after one with these values: another new one, or one that is
// not known. The focus goes to the title, or else to the first field that lacks something.
function follow({ about, fresh, line }, values) {
  const { box } = state.workshop, after = !fresh && nextOf(box, about);
  if (fresh) another(values);
  else show(after || (box.cards.find(c => c.about === about) ?? null), after?.line === line ? values : {});
  address();
  const lacks = "#card .field:has(.gap) :is(input, textarea, button)";
  const { en, fr } = state.workshop.values;
  change({ focus: { on: (en || fr) && after?.gaps?.length ? lacks : "#card input" } });
}

async function differs(about) {
  await load();
  const card = state.workshop.box.cards.find(c => c.about === about);
  put({ conflict: { tag: card?.tag, theirs: card?.own.map(o => o.text) ?? [] } });
}

// mine saves what is in the form over what somebody else has saved; theirs shows that.
export const mine = () => save({ over: true });
export const theirs = () => show(state.workshop.box.cards.find(c => c.about === state.workshop.card.about) ?? null);
