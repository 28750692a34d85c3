// Actions of the page for the owner's cards. state.workshop holds the box, what is
// sought in it, and the card that is open with the values of its form.

import { change, state } from "../store.js";
import { idOf, isSought, linesOf, mended, printed, printedIn, rowsOf, valuesOf } from "../workshop-lines.js";
import { get, put as replace, send } from "./server.js";
import * as watch from "./watch.js";

const PAUSE = 250; // milliseconds between a stroke and the check

let checks = 0, timer = null, language = "";

export const put = patch => change({ workshop: { ...state.workshop, ...patch } });

// start shows the box that the address names, else that of the game that is played.
export function start() {
  const query = new URLSearchParams(location.search);
  watch.start({
    workshop: {
      game: query.get("game") ?? "", box: null, trouble: "", sought: "", filter: "all", card: null, values: {},
      problems: [], preview: null, busy: false, conflict: null, said: "", history: null, back: null, tag: null,
    },
  });
  return load().then(() => fromAddress());
}

// load asks the table for the box.
export async function load() {
  const { game } = state.workshop, lang = language = state.lang;
  const query = new URLSearchParams({ game, lang });
  const answer = await get("/api/workshop?" + query).then(box => ({ box, game: box.game || game, trouble: "" }),
    error => ({ trouble: error.message }));
  if (state.workshop.game === game) put(answer); // else another box was chosen meanwhile
}

// frame takes the newest state of the table, and its language if it is another one.
export async function frame(live) {
  watch.frame(live);
  if (state.lang !== language) await load();
}

export async function game({ game: title, value = title }) {
  title = value;
  put({ game: title, box: null, card: null, history: null, sought: "", filter: "all", back: null });
  address();
  await load();
}

export const seek = ({ value }) => put({ sought: value });
export const filter = ({ filter: name }) => put({ filter: name });

// address keeps the game and the open card in the address.
function address() {
  const { game: title, card } = state.workshop, here = new URL(location.href);
  here.searchParams.set("game", title);
  here.hash = card ? card.fresh ? "new" : card.about : "";
  if (here.href !== location.href) history.pushState(null, "", here);
}

// fromAddress opens the card that the address names.
export async function fromAddress() {
  const title = new URLSearchParams(location.search).get("game");
  if (title && title !== state.workshop.game) {
    put({ game: title, box: null, card: null, history: null, back: null });
    await load();
  }
  const { box, card } = state.workshop, about = location.hash.slice(1);
  if ((card?.about ?? "") !== about) show(box?.cards.find(c => c.about === about) ?? null);
}

// isTyped reports whether the form holds what is not saved.
export function isTyped() {
  const { box, card, values } = state.workshop;
  return card !== null && JSON.stringify(values) !== JSON.stringify(card.fresh ? {} : valuesOf(box, card));
}

function show(card) {
  const { box } = state.workshop;
  clearTimeout(timer);
  checks++; // an answer about the card before does not count
  put({
    card, values: card ? valuesOf(box, card) : {}, problems: [], said: "", conflict: null, history: null,
    preview: card && { name: card.fresh ? "" : card.name, says: card.says },
  });
}

export function open({ open: about }) {
  show(state.workshop.box.cards.find(c => c.about === about));
  address();
}

// first opens the first card that is listed.
export function first() {
  const { workshop } = state, card = workshop.sought && workshop.box?.cards.find(c => isSought(workshop.sought, c));
  if (card) open({ open: card.about });
}

export function close() {
  show(null);
  address();
}

// add opens the form of a card that the box does not have.
export function add() {
  const [form] = state.workshop.box.forms;
  show({
    line: form.line, id: "", about: "", name: "", state: "missing", copies: 1, taught: 0, next: "", gaps: [], says: [],
    box: {}, stand_in: {}, own: [], tag: null, fresh: true,
  });
  address();
}

// --- the form ---------------------------------------------------------------

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
  const words = chosen(field);
  words.splice(words.lastIndexOf(word), 1);
  set(field, words.join(" "));
}

const chosen = field => (state.workshop.values[field] ?? "").split(" ").filter(w => w && w !== "inferred");

// suggest takes what the table suggests for a mistake.
export function suggest({ field, n }) {
  const { box, card, values, problems } = state.workshop;
  const row = rowsOf(box, card, values).find(r => r.field === field), value = mended(card, values, row, problems[n]);
  if (value !== null) set(field, value);
}

// keep keeps the words of a field as they are printed; read lets them be understood again.
// Where a field takes no such words, they go to all the words on the card.
export function keep({ field, keeps }) {
  const { values } = state.workshop, words = values[field] ?? "";
  if (keeps) return set(field, printed(words));
  put({ values: { ...values, text: [values.text, words].filter(Boolean).join(" ") } });
  set(field, "?");
}

export const read = ({ field }) => set(field, printedIn(state.workshop.values[field]) ?? "");

// complete takes a whole example.
export function complete({ field, choice }) {
  set(field, choice);
  change({ focus: { on: `textarea[data-field="${field}"]` } });
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
  if (n !== checks) return;
  if (answer.status === 429) timer = setTimeout(check, PAUSE);
  if (!answer.ok) return;
  const problems = answer.said.problems.filter(p => p.line > before.length)
    .map(p => ({ ...p, field: lines[p.line - 1 - before.length]?.field ?? "", text: p.text }));
  const { name, says } = answer.said;
  put({ problems, ...(says ? { preview: { name, says } } : {}) });
}

// save replaces what the owner's file says about the card. Somebody else may have changed
// it meanwhile: then both are shown.
export async function save({ next, over }) {
  const { box, game: title, card, values, busy, conflict } = state.workshop;
  if (busy) return;
  const about = card.about || idOf(card, values), lines = linesOf(box, card, values).map(l => l.text);
  put({ busy: true });
  const tag = over ? conflict.tag : card.tag ?? box.tag; // the last one is that of no lines
  const answer = await replace(`/api/cards/${title}/${encodeURIComponent(about)}`, { lines }, tag);
  if (answer.ok) {
    await load();
    if (state.workshop.card === card) return saved(about, next);
    return put({ busy: false });
  }
  put({ busy: false });
  if (state.workshop.card !== card) return; // another card was opened meanwhile
  if (answer.status === 412) return differs(about);
  put({ said: answer.said?.problems?.[0]?.text ?? answer.text });
}

function saved(about, next) {
  const { box } = state.workshop, card = box.cards.find(c => c.about === about);
  put({ busy: false, back: null });
  const after = next && nextOf(box, about);
  show(after || card || null);
  put({ said: "saved", lastSaved: card?.name ?? about });
  address();
  if (after) change({ focus: { on: "#card input" } });
}

// nextOf returns the next card that is not known.
export function nextOf(box, about) {
  const at = box.cards.findIndex(c => c.about === about);
  const open = c => c.id && ["missing", "stand-in", "wrong"].includes(c.state);
  return box.cards.slice(at + 1).find(open) ?? box.cards.find(c => open(c) && c.about !== about);
}

async function differs(about) {
  await load();
  const card = state.workshop.box.cards.find(c => c.about === about);
  put({ conflict: { tag: card?.tag, theirs: card?.own.map(o => o.text) ?? [] } });
}

// mine saves what is in the form over what somebody else has saved; theirs shows that.
export const mine = () => save({ over: true });
export const theirs = () => show(state.workshop.box.cards.find(c => c.about === state.workshop.card.about) ?? null);
