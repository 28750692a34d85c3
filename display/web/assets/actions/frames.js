// Messages of the stream, and the requests that follow them.

import { openKinds } from "../cards.js";
import { change, drawNow, infoOf, mine, state } from "../store.js";
import { spoken } from "../words.js";
import { received } from "./clock.js";
import { noticeEnd } from "./result.js";
import { prefill, recallMatch } from "./seating.js";
import { get } from "./server.js";
import { loadWaiting } from "./waiting.js";

// frame puts a message of the stream into the state, together with its hidden cards if
// there are any, and draws it at once: the next animation frame then shows it. first is
// true for the first message of a connection.
export function frame({ piles, ...live }, first) {
  const { view, status } = live, before = state.live?.view, receipt = status.receipt, seen = receipt?.n ?? 0;
  const stale = first ? seen : state.stale;
  const fresh = receipt && receipt.n !== stale && receipt.n !== state.pulse?.n;
  const done = state.sent !== null && state.sent !== view.seq;
  const kept = first ? !state.lost : seen === state.seen; // the table that did not answer is back
  change({
    news: newsOf(state.live, live),
    ...received(live), live, stale, seen, lost: false, lang: spoken(live.lang) || state.lang,
    hand: followHand(state.hand, view, mine(live)),
    trouble: kept ? state.trouble : null,
    sent: done ? null : state.sent, sheet: done && state.sheet !== "log" ? "" : state.sheet,
    pulse: fresh ? { seat: receipt.place || receipt.seat, outcome: receipt.outcome, n: receipt.n } : state.pulse,
    onReader: view.match === null ? {} : state.onReader,
    // The next match may have other cards of the same name.
    cardInfo: view.match === (before?.match ?? null) ? state.cardInfo : {},
  });
  if (piles) put(piles);
  noticeEnd(view);
  if (fresh && receipt.outcome !== "accepted" && !receipt.override) fade(receipt.n);
  loadTexts();
  loadWaiting();
  prefill(status.seating);
  if (first || view.match !== before?.match) recallMatch();
  if (state.games === null || view.game !== (before?.game ?? null)) loadGames();
  drawNow();
}

// newsOf returns the lines that the log did not have before. A page that opens
// during a match has no news yet.
function newsOf(before, { view, history }) {
  const same = before && before.view.match === view.match, last = before?.history.at(-1)?.n ?? 0;
  const lines = !before ? [] : history.filter(e => !same || e.n > last).flatMap(e => e.lines);
  return lines.length ? { n: state.news.n + 1, lines } : state.news;
}

// followHand returns the state of the shown hand: it belongs to the own seat of the browser, else
// to the seat that is asked, else to the seat whose turn it is.
function followHand(hand, view, own) {
  const sits = id => view.seats.some(s => s.id === id);
  const asked = [view.prompts[0]?.seat, view.turn, view.seats[0]?.id].find(sits) ?? null;
  return { seat: sits(own) ? own : asked === hand.asked && sits(hand.seat) ? hand.seat : asked, asked };
}

// lost records whether the stream is broken.
export function lost(is) {
  if (state.lost !== is) change({ lost: is });
}

const SHOWN = 7000; // milliseconds of a refusal that offers nothing

const fade = n => setTimeout(() => change({ dismissed: n }), SHOWN);

let drawn = 0; // counts pictures; in the address it bypasses the cache

// picture replaces the image of the panel when the new one has loaded, so that it never
// flickers. Nobody sees it while the drawer is closed.
export function picture(name) {
  if (name !== "panel" || !state.drawer || !state.live.pictures.includes(name)) return;
  const url = "/" + name + ".png?" + ++drawn, image = new Image();
  image.onload = () => {
    const { naturalWidth: width, naturalHeight: height } = image;
    change({ pictures: { ...state.pictures, [name]: { url, width, height } } });
  };
  image.src = url;
}

// withTexts returns the known names and texts, together with those of more
// cards.
const withTexts = (lang, cards) => ({
  ...state.cardInfo, ...Object.fromEntries(cards.map(c => [lang + "/" + c.kind, { name: c.name, does: c.does ?? "" }])),
});

// put puts hidden cards into the state.
function put(piles) {
  for (const c of piles.flatMap(p => p.cards)) c.kind = c.id.split(".")[0];
  change({ piles, cardInfo: withTexts(state.lang, piles.flatMap(p => p.cards)) });
}

// loadPiles fetches the hidden cards again, of the same frame.
export async function loadPiles() {
  const { live } = state, piles = await get("/api/piles?lang=" + state.lang).catch(() => null);
  if (piles && state.live === live) put(piles); // else the next frame has them
}

// loadTexts fetches the texts of the face-up cards if one is not known yet.
async function loadTexts() {
  const { view, status } = state.live, { lang } = state;
  if (!status.simulated || openKinds(view).every(infoOf)) return;
  try {
    const cards = await get("/api/texts?lang=" + lang);
    if (state.live.view.match !== view.match) return;
    change({ cardInfo: withTexts(lang, cards.map(c => ({ ...c, kind: c.card }))) });
  } catch { /* the next frame asks again */ }
}

// loadGames fetches the games of this table, and the names of those who sat here.
export async function loadGames() {
  try {
    change({ games: await get("/api/games?lang=" + state.lang) });
    prefill(state.live.status.seating);
    if (!state.known) change({ known: (await get("/api/players")).map(p => p.name) });
  } catch { change({ games: state.games ?? [] }); }
}
