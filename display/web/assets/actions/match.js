// Playing: with the table's own inputs, or with the readers and keys of a
// simulated one.

import { remember } from "../memory.js";
import { change, state, staysOn } from "../store.js";
import { loadPiles } from "./frames.js";
import { close } from "./page.js";
import { send, tell } from "./server.js";

// input gives the table a line.
export function input({ input: line }) {
  close();
  return tell("/api/input", { input: line });
}

// order begins, resumes, abandons a match or plays it again.
export function order({ do: what, match }) {
  close();
  return tell("/api/match", { do: what, ...(match && { match }) });
}

// rename names a seat, and line gives what was typed.
export const rename = ({ rename: seat, name }) => input({ input: `${seat} set name ${JSON.stringify(name.trim())}` });
export const line = ({ line: text }) => input({ input: text.trim() });

// press presses a key of a seat: on a simulated table the key itself, else it
// gives what the key means.
export function press({ seat, press: key }) {
  if (state.live.status.simulated) return tell("/api/press", { seat, key });
  return input({ input: key === "undo" || key === "redo" ? `${seat} ${key}` : `${seat} key ${key}` });
}

// face notes what a die of a question shows.
export function face({ of, die, face }) {
  const faces = state.thrown.of === of ? state.thrown.faces : {};
  change({ thrown: { of, faces: { ...faces, [die]: face } } });
}

// tap lays a card on a reader and, unless the game wants it to stay there,
// takes it off again as a hand would. A place stands for its top card.
export async function tap({ seat, tap: what }) {
  const pile = state.piles.find(p => p.place === what), tag = pile ? pile.cards[0]?.id : what;
  if (!tag) return;
  lay(seat, tag);
  const done = await tell("/api/tap", { place: seat, tag });
  if (state.lying[seat] !== tag) return; // another one was laid meanwhile
  if (!done) lay(seat, undefined);
  else if (!staysOn()) setTimeout(() => lift({ seat, lift: tag }), 450);
}

const lay = (seat, tag) => change({ lying: { ...state.lying, [seat]: tag } });

// lift takes a card off a reader.
export async function lift({ seat, lift: tag }) {
  if (state.lying[seat] !== tag) return;
  await send("/api/lift", { place: seat, tag });
  if (state.lying[seat] === tag) lay(seat, undefined);
}

// pick makes a card of a hand the one that goes next.
export async function pick({ pickOf: place, tap: card }) {
  if (await tell("/api/pick", { place, card })) loadPiles();
}

// show turns to the hand of a seat. From the keyboard the focus goes with it.
export function show({ tab: seat, focus }) {
  change({ hand: { ...state.hand, seat }, focus: focus ? { on: "#tab-" + seat } : state.focus });
  if (state.hand.pinned) pin({ checked: true });
}

// pin makes the hand that is shown stay for this match.
export function pin({ checked }) {
  const pinned = checked ? state.hand.seat : null;
  remember("seat", pinned ? state.hand.match + " " + pinned : "");
  change({ hand: { ...state.hand, pinned } });
}

// reach leads to the cards of a zone that answer.
export function reach({ reach: zone }) {
  const [seat] = zone.split("/"), sits = state.live.view.seats.some(s => s.id === seat);
  change({
    hand: { ...state.hand, seat: sits ? seat : state.hand.seat },
    focus: { on: "#tray .card.wanted, #arena .plate.wanted", show: true },
  });
}
