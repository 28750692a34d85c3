import { change, state, staysOn } from "../store.js";
import { loadChances } from "./chances.js";
import { loadPiles } from "./frames.js";
import { setting } from "./mine.js";
import { close } from "./page.js";
import { get, send, tell } from "./server.js";

function told(path, body) {
  close();
  return tell(path, body);
}

export const input = ({ input: line }) => answered(told("/api/input", { input: line }));

// answered lets the frame that shows an accepted answer close the sheet that gave it.
async function answered(telling) {
  change({ sent: state.live?.view.seq ?? null });
  const done = await telling;
  if (!done) change({ sent: null });
  return done;
}

export const order = ({ do: what, seat }) => told("/api/match", { do: what, seat });
export const watch = ({ do: what, game }) => told("/api/show", { do: what, game });

// hint asks what the table would do in the place of a seat.
export async function hint({ seat }) {
  const { view: { match, seq } } = state.live, asked = { match, seq, seat, list: null };
  close();
  change({ sheet: "hint", hint: asked });
  const list = await get(`/api/hint?seat=${seat}&lang=${state.lang}`).catch(e => change({ trouble: e.message }));
  if (state.hint !== asked) return;
  change(list ? { hint: { ...asked, list } } : { sheet: "" });
}

// rename sends the name of a seat; line sends an input that the user typed.
export const rename = ({ rename: seat, name }) => input({ input: `${seat} set name ${JSON.stringify(name.trim())}` });
export const line = ({ line: text }) => input({ input: text.trim() });

// press presses a key of a seat: the simulated key itself, or the input with the
// same meaning on a table with real hardware.
export function press({ seat, press: key }) {
  if (state.live.status.simulated) return told("/api/press", { seat, key });
  return input({ input: key === "undo" || key === "redo" ? `${seat} ${key}` : `${seat} key ${key}` });
}

// tap lays a card on a reader and, unless the game's cards stay on the readers,
// takes it off after a moment, as a hand would. For the name of a pile it takes
// the top card.
export async function tap({ seat, tap: what }) {
  const pile = state.piles.find(p => p.place === what), tag = pile ? pile.cards[0]?.id : what;
  if (!tag) return;
  close();
  lay(seat, tag);
  const done = await answered(tell("/api/tap", { place: seat, tag }));
  if (state.onReader[seat] !== tag) return; // another card was laid down meanwhile
  if (!done) lay(seat, undefined);
  else if (!staysOn()) setTimeout(() => lift({ seat, lift: tag }), 450);
}

const lay = (seat, tag) => change({ onReader: { ...state.onReader, [seat]: tag } });

export async function lift({ seat, lift: tag }) {
  if (state.onReader[seat] !== tag) return;
  await send("/api/lift", { place: seat, tag });
  if (state.onReader[seat] === tag) lay(seat, undefined);
}

export async function pick({ pickOf: place, tap: card }) {
  if (await told("/api/pick", { place, card })) loadPiles();
}

// odds shows or hides how likely each seat is to win.
export function odds() {
  setting({ setting: "chances", checked: !state.settings.chances });
  if (state.settings.chances) loadChances(state.live.view);
  close();
}
