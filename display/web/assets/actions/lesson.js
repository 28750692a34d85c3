import { pressed } from "../keys.js";
import { boxes, boxOnTable, chosenGame, state, unknownTag } from "../store.js";
import { say } from "../words.js";
import { loadGames } from "./frames.js";
import { show, showing } from "./page.js";
import { get, send } from "./server.js";

// learn begins the lesson of a tag. Others laid down meanwhile wait for the next lesson.
export function learn({ tag = unknownTag() ?? "" }) {
  loadBox(show({
    name: "learn", tag, kind: pressed(tag) ? "key" : "card", game: "", cards: null, sought: "", trouble: "",
    busy: false, learnt: null,
  }));
}

// loadBox fetches the cards of the game that the tag probably belongs to: the
// one being played, if it has cards.
async function loadBox(lesson) {
  if (!state.games) await loadGames();
  const all = boxes(), likely = boxOnTable() ?? all.find(g => g === chosenGame()) ?? all.at(-1);
  const game = lesson.game || (likely?.name ?? "");
  showing(lesson, { game, ...(game ? {} : { kind: "key" }) });
  let cards = [], trouble = "";
  try {
    if (game) cards = await get(`/api/cards?game=${encodeURIComponent(game)}&lang=${state.lang}`);
  } catch (e) { trouble = e.cause ? e.message : say("page.away"); }
  if (state.dialog?.game !== game) return; // the user chose another game meanwhile
  cards.sort((a, b) => a.name.localeCompare(b.name, state.lang));
  showing(lesson, { cards, trouble });
}

// teach tells the table what the tag is: a card, or a key as "key/undo".
export async function teach({ learn: card, title }) {
  const lesson = state.dialog, { tag, busy } = lesson;
  if (busy) return;
  showing(lesson, { busy: true });
  const { ok, text } = await send("/api/match", { do: "learn", tag, card });
  if (!ok) showing(lesson, { busy: false, trouble: text });
  else if (state.dialog?.id === lesson.id) show({ ...lesson, learnt: { title, text } });
}

export function box({ value: game }) {
  showing(state.dialog, { game, cards: null });
  loadBox(state.dialog);
}
