// Actions of the table in which an owner enters the names of many cards.

import { state } from "../store.js";
import { nameLines, valuesOf } from "../workshop-lines.js";
import { put as replace } from "./server.js";
import { left, listed, load, put } from "./workshop.js";

const SAVED = 10; // names after which the table saves them by itself

const set = patch => put({ names: { ...state.workshop.names, ...patch } });

// name takes what is typed. A name that the file has already is not saved again.
export function name({ about, value }) {
  const { box, names: { field, typed } } = state.workshop, card = box.cards.find(c => c.about === about);
  const { [about]: _, ...others } = typed, known = valuesOf(box, card)[field] ?? "";
  set({ typed: value.trim() === known ? others : { ...typed, [about]: value } });
  put({ said: "", back: null });
}

export const seekName = ({ value }) => set({ sought: value });

// allNames lists all cards, or those without a name.
export const allNames = ({ checked }) => set(listed(state.workshop.names.field, checked));

// entered saves what is typed, now and then and at the end.
export function entered({ next }) {
  if (!next || Object.keys(state.workshop.names.typed).length >= SAVED) return saveNames();
}

// saveNames changes the owner's file once, for all names that are typed. What is typed
// meanwhile stays.
export async function saveNames({ leaves } = {}) {
  const { box, game, names: { field, typed }, busy, leaving } = state.workshop;
  const cards = box.cards.filter(c => c.about in typed);
  if (busy || !cards.length) return;
  put({ busy: true, leaving: null });
  const answer = await replace("/api/cards/" + game, { cards: cards.map(c =>
    ({ card: c.about, tag: c.tag, lines: nameLines(box, c, field, typed[c.about]) })) }, "*");
  if (answer.ok || answer.status === 412) await load();
  put({ busy: false });
  if (state.workshop.names?.field !== field || state.workshop.game !== game) return;
  if (!answer.ok) {
    const changed = state.workshop.box.cards.find(c => answer.said?.changed?.includes(c.about));
    return put(changed ? { said: "changed", lastSaved: changed.name } :
      { said: answer.said?.problems?.[0]?.text ?? answer.text });
  }
  const rest = Object.entries(state.workshop.names.typed).filter(([about, value]) => typed[about] !== value);
  set({ typed: Object.fromEntries(rest) });
  put({ said: "names", saved: cards.length, back: null });
  if (leaves) left(leaving);
}
