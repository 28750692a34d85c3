// Actions of the table in which an owner enters the names of many cards.

import { state } from "../store.js";
import { nameLines, valuesOf } from "../workshop-lines.js";
import { put as replace } from "./server.js";
import { left, listed, load, put } from "./workshop.js";

const SAVED = 10; // names after which the table saves them by itself

const set = patch => put({ names: { ...state.workshop.names, ...patch } });

// name takes what is typed, and over which version of the card. A name that the file has
// already is not saved again; with a space behind it, it may become another one.
export function name({ about, value }) {
  const { box, names: { field, typed, tags } } = state.workshop, card = box.cards.find(c => c.about === about);
  const { [about]: _, ...others } = typed, known = valuesOf(box, card)[field] ?? "", is = value !== known;
  set({
    typed: is ? { ...typed, [about]: value } : others,
    tags: about in typed ? tags : { ...tags, [about]: card.tag },
  });
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
  const { box, game, names: { field, typed, tags }, busy, leaving } = state.workshop;
  const cards = box.cards.filter(c => c.about in typed);
  if (busy || !cards.length) return;
  put({ busy: true, leaving: null });
  const answer = await replace("/api/cards/" + game, { cards: cards.map(c =>
    ({ card: c.about, tag: tags[c.about], lines: nameLines(box, c, field, typed[c.about]) })) }, "*");
  if (answer.ok || answer.status === 412) await load();
  put({ busy: false });
  if (state.workshop.names?.field !== field || state.workshop.game !== game) return;
  if (!answer.ok) {
    const all = answer.said?.changed ?? [], changed = state.workshop.box.cards.find(c => all.includes(c.about));
    retag(all);
    set({ changed: all });
    return put(changed ? { said: "changed", lastSaved: changed.name } :
      { said: answer.said?.problems?.[0]?.text ?? answer.text });
  }
  const rest = Object.entries(state.workshop.names.typed).filter(([about, value]) => typed[about] !== value);
  set({ typed: Object.fromEntries(rest), changed: [] });
  retag(rest.map(([about]) => about).filter(about => about in typed));
  put({ said: "names", saved: cards.length, back: null });
  if (leaves) left(leaving);
}

function retag(abouts) {
  const seen = state.workshop.box.cards.filter(c => abouts.includes(c.about)).map(c => [c.about, c.tag]);
  set({ tags: { ...state.workshop.names.tags, ...Object.fromEntries(seen) } });
}
