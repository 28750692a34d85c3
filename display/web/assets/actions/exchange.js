// Sharing an owner's file.

import { change, state } from "../store.js";
import { say } from "../words.js";
import { send } from "./server.js";

const set = patch => change({ exchange: { ...state.exchange, ...patch } });
const fresh = { theirs: null, added: [], differences: [], decide: {}, problems: [], trouble: "", busy: false };

// exchangeOf begins with the file of a game, "" for none. merged counts the merges: the
// cards of the page are other ones then.
export function exchangeOf(game) {
  if (state.exchange?.game !== game) change({ exchange: { game, said: "", merged: 0, ...fresh } });
}

const most = 1 << 20;

// take compares a file with the owner's.
export async function take({ name, size, text }) {
  set({ ...fresh, said: "", busy: true });
  if (size > most) return set({ trouble: say("files.long"), busy: false });
  const csv = /\.csv$/i.test(name), journal = text.startsWith("tableside-journal");
  return merge({ name, text, csv, journal });
}

async function merge(theirs, decide) {
  const { game } = state.exchange, { text, csv, journal } = theirs;
  set({ busy: true });
  const answer = await send(`/api/cards/${game}/merge`, { text, csv, journal, ...(decide && { decide }) });
  if (state.exchange.game !== game) return;
  if (!answer.ok) {
    set({ ...fresh, trouble: answer.text, problems: answer.said?.problems ?? [] });
  } else if (answer.said.merged) {
    set({ ...fresh, said: say("exchange.done"), merged: state.exchange.merged + 1 });
  } else {
    // Another browser may have changed a card meanwhile: what was decided stays.
    const { added, differences } = answer.said, known = state.exchange.decide;
    set({ theirs, added, differences, decide: known, busy: false });
  }
}

export const decide = ({ card, choice }) => set({ decide: { ...state.exchange.decide, [card]: choice } });

const all = choice => set({ decide: Object.fromEntries(state.exchange.differences.map(d => [d.card, choice])) });
export const mine = () => all("mine");
export const theirs = () => all("theirs");

export const cancel = () => set(fresh);
export const join = () => merge(state.exchange.theirs, state.exchange.decide);
