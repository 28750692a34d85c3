// Actions of the page for the owner's cards. state.workshop holds the box, what is
// sought in it, and the card that is open with the values of its form.

import { change, state } from "../store.js";
import { languages } from "../words.js";
import { alike, idOf, isNamed, isSought, linesOf, valuesOf } from "../workshop-lines.js";
import { get, send } from "./server.js";
import * as watch from "./watch.js";

let language = "";

export const put = patch => change({ workshop: { ...state.workshop, ...patch } });

// start shows the box that the address names, else that of the game that is played.
export function start() {
  const query = new URLSearchParams(location.search);
  watch.start({
    workshop: {
      game: query.get("game") ?? "", box: null, trouble: "", sought: "", filter: "all", card: null, values: {},
      begun: {}, problems: [], preview: null, paper: null, busy: false, conflict: null, said: "", history: null,
      back: null, tag: null, names: null, leaving: null, picking: null,
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
  if (state.lang === language) return;
  put({ picking: null }); // its words are in the other language
  await load();
}

export const game = ({ game: title, value = title }) => leave(async () => {
  clear(value);
  address();
  await load();
});

const clear = title => put({
  game: title, box: null, card: null, names: null, history: null, sought: "", filter: "all", back: null, leaving: null,
});

export const seek = ({ value }) => put({ sought: value });
export const filter = ({ filter: name }) => put({ filter: name });

// address keeps the game and what is open in the address.
export function address() {
  const { game: title, card, names } = state.workshop, here = new URL(location.href);
  here.searchParams.set("game", title);
  here.hash = card ? card.fresh ? "new" : card.about : names ? NAMES + names.field : "";
  if (here.href !== location.href) history.pushState(null, "", here);
}

const NAMES = "names="; // no card has such an id

// fromAddress opens what the address names. If something is typed it asks first, and the
// address stays that of what is open.
export async function fromAddress() {
  const title = new URLSearchParams(location.search).get("game"), about = location.hash.slice(1), asks = isTyped();
  if (asks) address();
  return leave(async () => {
    if (title && title !== state.workshop.game) {
      clear(title);
      await load();
    }
    const { box, card, names } = state.workshop;
    if (about.startsWith(NAMES)) {
      const field = about.slice(NAMES.length);
      if (!names && languages.includes(field)) table(field);
    } else if (names || (card?.about ?? "") !== about) {
      show(box?.cards.find(c => c.about === about) ?? null);
    }
    if (asks) address();
  });
}

// --- leaving what is open ------------------------------------------------------

// isTyped reports whether the form, or the table of names, holds what is not saved.
export function isTyped() {
  const { card, values, begun, names } = state.workshop;
  if (names) return Object.keys(names.typed).length > 0;
  return card !== null && JSON.stringify(values) !== JSON.stringify(begun);
}

function leave(go) {
  if (!isTyped()) return go();
  put({ leaving: go });
  change({ focus: { on: ".leaving button" } });
}

// stay goes back to the form, discard leaves it without saving.
export function stay() {
  put({ leaving: null });
  change({ focus: { on: state.workshop.names ? ".names .typed input" : "#card :is(input, textarea)" } });
}

export const discard = () => left(state.workshop.leaving);

// left goes on with what was asked for before the form was saved or discarded.
export function left(go) {
  put({ leaving: null });
  return go();
}

// --- what is open ------------------------------------------------------------------

// show opens the form of a card, or closes it without one. last holds the values of the
// card that was saved before it.
export function show(card, last = {}) {
  const { box } = state.workshop, begun = card ? { ...alike(box, card, last), ...valuesOf(box, card) } : {};
  put({
    card, begun, values: begun, problems: [], said: "", conflict: null, history: null,
    preview: card && { name: card.fresh ? "" : card.name, says: card.says }, paper: null, names: null, leaving: null,
    picking: null,
  });
  paper();
}

let asking = false; // whether an answer is on its way
let newer = false;  // whether the form has changed since

// paper asks for the e-paper with the card lying open, as its form describes it: one
// question at a time, and the last one about the newest form.
export async function paper() {
  newer = true;
  if (asking) return;
  asking = true;
  try {
    while (newer) await askPaper();
  } finally {
    asking = false;
  }
}

async function askPaper() {
  const { box, game: title, card, values } = state.workshop, id = card && (card.id || idOf(card, values));
  newer = false;
  if (!id || !card.id && !card.fresh) return;
  const lines = linesOf(box, card, values).map(l => l.text);
  const answer = await send("/api/cards/play", { game: title, card: id, lines, paper: true });
  if (answer.status === 429) {
    await new Promise(done => setTimeout(done, 500));
    newer = true;
  } else if (answer.ok && !newer && state.workshop.card === card) put({ paper: answer.said.panel });
}

export const open = ({ open: about }) => leave(() => {
  show(state.workshop.box.cards.find(c => c.about === about));
  address();
});

// first opens the first card that is listed.
export function first() {
  const { workshop } = state, card = workshop.sought && workshop.box?.cards.find(c => isSought(workshop.sought, c));
  if (card) open({ open: card.about });
}

// close goes back to the list, and to the row of the card in it.
export const close = () => leave(() => {
  const { card, names } = state.workshop, about = names ? "" : card?.about;
  show(null);
  address();
  change({ focus: { on: about ? `.box-of [data-open="${about}"]` : names ? "[data-act=names]" : "[data-act=add]" } });
});

// names opens the table of the names in a language.
export const names = ({ field }) => leave(() => {
  table(field);
  address();
  change({ focus: { on: ".names input[data-act=name]" } });
});

function table(field) {
  show(null);
  const fresh = { all: false, sought: "", typed: {}, tags: {}, changed: [] };
  put({ names: { field, ...fresh, ...listed(field, false) } });
}

// listed lists the cards of the table of names: those that have none now, or all. Each box
// is in the order of what is printed first, the power: so people can sort their cards.
export function listed(field, all) {
  const { box } = state.workshop;
  const cards = box?.cards.filter(c => isNamed(box, c, field) && (all || !valuesOf(box, c)[field])) ?? [];
  const sets = [...new Set(cards.map(c => c.set))], printed = c => c.says[0] ?? c.name;
  cards.sort((a, b) => sets.indexOf(a.set) - sets.indexOf(b.set) ||
    printed(a).localeCompare(printed(b), state.lang, { numeric: true }));
  return { all, cards: cards.map(c => c.about) };
}

// add opens the form of a card that the box does not have.
export const add = () => leave(() => another({}));

// another opens the form of a new card, after one that was saved.
export function another(last) {
  const [form] = state.workshop.box.forms;
  show({
    line: form.line, id: "", about: "", name: "", state: "missing", copies: 1, taught: 0, next: "", gaps: [], says: [],
    box: {}, stand_in: {}, own: [], tag: null, fresh: true,
  }, last);
  address();
}
