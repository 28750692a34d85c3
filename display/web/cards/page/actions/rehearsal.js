// Actions of the page that plays a card. state.rehearsal holds the card, what its form
// says of it, and the inputs so far: the table keeps none of it, and folds them each time.

import { change, question, state } from "../store.js";
import { send } from "./server.js";
import * as watch from "./watch.js";

export { keep, sheet, shut } from "./page.js";

const put = patch => change({ rehearsal: { ...state.rehearsal, ...patch } });

// start begins with the card that the address names.
export function start() {
  const query = new URLSearchParams(location.search), lines = decodeURIComponent(location.hash.slice(1));
  watch.start({
    rehearsal: {
      game: query.get("game"), card: query.get("card"), lines: lines.split("\n").filter(Boolean), inputs: [], copy: "",
      trouble: "", n: 0, busy: false,
    },
  });
  return again();
}

let begun = 0; // how often it was begun

// again starts over, even while an answer is awaited.
export function again() {
  begun++;
  put({ inputs: [], busy: false });
  return ask("");
}

async function ask(input) {
  const { game, card, lines, inputs, busy, n } = state.rehearsal, at = begun;
  if (busy) return;
  put({ busy: true });
  const answer = await send("/api/cards/play", { game, card, lines, inputs, input });
  if (at !== begun) return; // started over meanwhile
  if (!answer.ok) return put({ busy: false, trouble: answer.text });
  const { view, history, piles, refused, inputs: now, card: copy } = answer.said;
  put({ inputs: now, copy, trouble: "", n: n + 1, busy: false });
  shown(view, piles);
  change({ live: {
    view, history, lang: state.lang, events: [], show: "", pictures: ["panel"], writes: true,
    rights: { play: true, keep: false, seat: "" },
    status: { receipt: refused ? { n, outcome: "refused", seat: input.split(" ")[0], text: refused } : null, cursor: -1,
      keeping: true, trouble: "", continue: "", health: [], simulated: true },
  } });
}

function shown(view, piles) {
  for (const c of piles.flatMap(p => p.cards)) c.kind = c.id.split(".")[0];
  const texts = piles.flatMap(p => p.cards).map(({ kind, does }) => [kind, does]);
  const asked = question(view)?.seat, known = view.seats.some(s => s.id === asked);
  change({ piles, texts: { ...state.texts, ...Object.fromEntries(texts) },
    hand: { ...state.hand, seat: known ? asked : state.hand.seat ?? view.seats[0].id } });
}

export const input = ({ input: line }) => ask(line);
export const tap = ({ seat, tap: what }) => ask(`${seat} tap ${what}`);
export const press = ({ seat, press: key }) => ask(`${seat} key ${key}`);
