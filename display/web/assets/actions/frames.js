// What the table says by itself, and what the page asks for because of it.

import { openKinds } from "../cards.js";
import { recall } from "../memory.js";
import { change, state, told } from "../store.js";
import { spoken } from "../words.js";
import { get } from "./server.js";

// frame takes over a message of the stream, the first one of a connection or not.
export function frame(live, first) {
  const { view, status } = live, before = state.live?.view, receipt = status.receipt, seen = receipt?.n ?? 0;
  const stale = first ? seen : state.stale;
  const fresh = receipt && receipt.n !== stale && receipt.n !== state.pulse?.n;
  change({
    live, stale, seen, lost: false, lang: spoken(live.lang) || state.lang, hand: follow(state.hand, view),
    trouble: first || seen === state.seen ? state.trouble : null,
    pulse: fresh ? { seat: receipt.place || receipt.seat, outcome: receipt.outcome, n: receipt.n } : state.pulse,
    lying: view.match === null ? {} : state.lying,
    told: view.match === (before?.match ?? null) ? state.told : {}, // the next match may have others of that name
  });
  loadTexts();
  loadPiles();
  for (const name of live.pictures) redrawn(name);
  if (state.games === null || view.game !== (before?.game ?? null)) loadGames();
}

// follow turns to the hand of who is asked, else whose turn it is. A hand that
// stays is kept for one match: the next may be played by others.
function follow(hand, view) {
  let { seat, pinned, match } = hand;
  if (view.match !== null && view.match !== match) {
    const [before, kept] = (recall("seat") ?? "").split(" ");
    match = view.match;
    pinned = before === match && kept ? kept : null;
  }
  const sits = id => view.seats.some(s => s.id === id);
  const asked = [view.prompts[0]?.seat, view.turn, view.seats[0]?.id].find(sits) ?? null;
  if (asked !== hand.asked || !sits(seat)) seat = asked;
  if (sits(pinned)) seat = pinned;
  return { seat, asked, pinned, match };
}

// lost notes whether the stream is broken.
export function lost(is) {
  if (state.lost !== is) change({ lost: is });
}

let drawn = 0; // pictures so far: none comes out of the cache

// picture swaps an image once the new one is there, so that it never flickers.
export function picture(name) {
  const url = "/" + name + ".png?" + ++drawn, image = new Image();
  image.onload = () => {
    const { naturalWidth: width, naturalHeight: height } = image;
    change({ pictures: { ...state.pictures, [name]: { url, width, height } } });
  };
  image.src = url;
}

const later = {}; // timers by picture

function redrawn(name) {
  clearTimeout(later[name]);
  picture(name);
  later[name] = setTimeout(() => picture(name), 2500); // e-paper takes its time
}

// withTexts returns the texts that are known, and those of more cards.
const withTexts = (lang, cards) => ({
  ...state.told, ...Object.fromEntries(cards.map(c => [lang + "/" + c.kind, { name: c.name, does: c.does ?? "" }])),
});

// loadTexts asks for those of the open cards, where one is not known yet.
async function loadTexts() {
  const { view, status } = state.live, { lang } = state;
  if (!status.simulated || openKinds(view).every(told)) return;
  try {
    const cards = await get("/api/texts?lang=" + lang);
    if (state.live.view.match !== view.match) return;
    change({ told: withTexts(lang, cards.map(c => ({ ...c, kind: c.card }))) });
  } catch { /* the next frame asks again */ }
}

let asking = 0; // the newest question for hidden cards

// loadPiles fetches the hidden cards of a simulated table, for those who hold
// them.
export async function loadPiles() {
  if (!state.live.status.simulated || !state.live.writes) return;
  const mine = ++asking, { lang } = state;
  try {
    const piles = await get("/api/piles?lang=" + lang);
    if (mine !== asking) return;
    const cards = piles.flatMap(p => p.cards).map(c => ({ ...c, kind: c.id.split(".")[0] }));
    change({ piles, told: withTexts(lang, cards) });
  } catch { /* the next frame asks again */ }
}

// loadGames fetches what can be played.
export async function loadGames() {
  try {
    change({ games: await get("/api/games?lang=" + state.lang) });
  } catch { change({ games: state.games ?? [] }); }
}
