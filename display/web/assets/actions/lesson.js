// Teaching a tag to the table.

import { pressed } from "../keys.js";
import { boxes, boxOnTable, change, chosenGame, state } from "../store.js";
import { say } from "../words.js";
import { loadGames } from "./frames.js";
import { get, send } from "./server.js";

let lessons = 0;

// learning changes the lesson unless a newer one has begun.
function learning(id, patch) {
  if (state.lesson.id === id) change({ lesson: { ...state.lesson, ...patch } });
}

// teachTag begins the lesson of a tag. Other tags laid down meanwhile wait for
// the next lesson.
export function teachTag(tag) {
  const id = ++lessons, kind = pressed(tag) ? "key" : "card";
  change({
    lesson: { id, tag, kind, game: "", cards: null, sought: "", trouble: "", busy: false, learnt: null },
  });
  loadBox(id);
}

// loadBox fetches the cards of the game that the tag probably belongs to: the
// one being played, if it has cards.
async function loadBox(id) {
  if (!state.games) await loadGames();
  if (state.lesson.id !== id) return;
  const all = boxes(), likely = boxOnTable() ?? all.find(g => g === chosenGame()) ?? all.at(-1);
  const game = state.lesson.game || (likely?.name ?? "");
  learning(id, { game, kind: game ? state.lesson.kind : "key" });
  let cards = [], trouble = "";
  try {
    if (game) cards = await get(`/api/cards?game=${encodeURIComponent(game)}&lang=${state.lang}`);
  } catch (e) { trouble = e.cause ? e.message : say("page.away"); }
  if (state.lesson.game !== game) return; // the user chose another game meanwhile
  cards.sort((a, b) => a.name.localeCompare(b.name, state.lang));
  learning(id, { cards, trouble });
}

// teach tells the table what the tag is: a card, or a key as "key/undo".
export async function teach({ learn: card, title }) {
  const { id, tag, busy } = state.lesson;
  if (busy) return;
  learning(id, { busy: true });
  const said = await send("/api/match", { do: "learn", tag, card });
  learning(id, { busy: false, trouble: said.ok ? "" : said.text, learnt: said.ok ? { title, text: said.text } : null });
  if (said.ok) change({ focus: { on: "#dialog .learnt ~ .answers button" } });
}

// kind sets whether the tag is a "card" or a "key".
export const kind = ({ kind }) => learning(state.lesson.id, { kind });

// search records the text typed to find a card.
export const search = ({ value }) => learning(state.lesson.id, { sought: value });

// find moves the focus to the first card found, after the next drawing.
export const find = () => change({ focus: { on: "#dialog .copies button" } });

// again begins another lesson, with the same tag or another one.
export function again({ again: tag }) {
  teachTag(tag);
  change({ focus: { on: "#dialog [data-sought][autofocus]" } });
}

// box shows the cards of another game.
export function box({ value }) {
  const { id } = state.lesson;
  learning(id, { game: value, cards: null });
  loadBox(id);
}
