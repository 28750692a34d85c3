// Messages of the stream, and the requests that follow them.

import { openKinds } from "../cards.js";
import { colours } from "../seats.js";
import { change, drawNow, family, isComputer, keeps, mine, state, textOf } from "../store.js";
import { spoken } from "../words.js";
import { loadChances } from "./chances.js";
import { received } from "./clock.js";
import { get } from "./server.js";

const SHOWN = 7000; // milliseconds of a refusal that offers nothing

// frame puts a message of the stream into the state, together with its hidden cards if
// there are any, and draws it at once: the next animation frame then shows it. first is
// true for the first message of a connection.
export function frame({ piles, ...live }, first) {
  const { view, status: { receipt, seating } } = live, before = state.live, lang = spoken(live.lang) || state.lang;
  const fresh = !first && receipt && receipt.n !== before.status.receipt?.n;
  const done = state.sent !== null && state.sent !== view.seq;
  const other = view.match !== (before?.view.match ?? null), kept = first ? !state.lost : !fresh;
  change({
    news: newsOf(before, live),
    ...received(live), live, gone: first ? receipt?.n : state.gone, lost: false, lang,
    hand: followHand(state.hand, live),
    trouble: kept ? state.trouble : null, // the table that did not answer is back
    sent: done ? null : state.sent, sheet: done && state.sheet !== "log" ? "" : state.sheet,
    onReader: view.match === null ? {} : state.onReader,
    thrown: other || view.seq !== before?.view.seq ? {} : state.thrown,
    texts: other || lang !== state.lang ? {} : state.texts, // the next match may have other cards of the same name
  });
  if (piles) put(piles);
  if (fresh && receipt.outcome !== "accepted" && !receipt.override) {
    setTimeout(() => state.live.status.receipt?.n === receipt.n && change({ gone: receipt.n }), SHOWN);
  }
  loadResult(view);
  if (state.settings.chances || live.status.chances?.seq === view.seq) loadChances(view);
  loadTexts();
  prefill(seating);
  if (first || other || (live.status.continue || null) !== (state.waiting?.id ?? null)) loadMatches();
  if (state.games === null || view.game !== (before?.view.game ?? null)) loadGames();
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
// to the seat that is asked, else to the seat whose turn it is; never to one that the table plays.
function followHand(hand, live) {
  const { view } = live, own = mine(live), first = view.prompts[0]?.seat;
  const sits = id => view.seats.some(s => s.id === id) && !isComputer(id, live);
  const all = [first, isComputer(first, live) && hand.seat, view.turn, ...view.seats.map(s => s.id)];
  const asked = all.find(sits) ?? null;
  return { seat: sits(own) ? own : asked === hand.asked && sits(hand.seat) ? hand.seat : asked, asked };
}

export const lost = is => change({ lost: is });

// picture counts the pictures of the panel: the number in its address bypasses the cache.
export function picture(name) {
  if (name === "panel" && state.drawer) change({ panel: state.panel + 1 });
}

function put(piles) {
  const cards = piles.flatMap(p => p.cards);
  for (const c of cards) c.kind = c.id.split(".")[0];
  change({ piles, texts: withTexts(cards) });
}

const withTexts = cards => ({ ...state.texts, ...Object.fromEntries(cards.map(c => [c.kind, c.does ?? ""])) });

export async function loadPiles() {
  const { live } = state, piles = await get("/api/piles?lang=" + state.lang).catch(() => null);
  if (piles && state.live === live) put(piles); // else the next frame has them
}

// loadTexts fetches the texts of the face-up cards if one is not known yet.
async function loadTexts() {
  const { live: { view, status }, lang } = state;
  if (!status.simulated || openKinds(view).every(kind => textOf(kind) !== undefined)) return;
  const cards = await get("/api/texts?lang=" + lang).catch(() => null); // then the next frame asks again
  if (!cards || state.live.view.match !== view.match || state.lang !== lang) return;
  change({ texts: withTexts(cards.map(c => ({ ...c, kind: c.card }))) });
}

// loadGames fetches the games of this table, and the names of those who sat here.
export async function loadGames() {
  try {
    change({ games: await get("/api/games?lang=" + state.lang) });
    prefill(state.live.status.seating);
    if (!state.known) change({ known: (await get("/api/players")).map(p => p.name) });
  } catch { change({ games: state.games ?? [] }); }
}

// loadResult loads the match summed up when it has ended, and again after a correction.
async function loadResult({ match, seq, winners }) {
  const { lang, result } = state;
  if (!winners.length || result?.match === match && result.seq === seq && result.lang === lang) return;
  const loaded = await get("/api/result?lang=" + lang).catch(() => null), now = state.live.view;
  if (now.match === match && now.seq === seq && loaded?.match === match) change({ result: { ...loaded, lang, seq } });
}

// loadMatches fetches what was played: for the match that the table asks whether to continue, and to
// fill the form with game and players of the last one, whoever began it, or of that on the table.
async function loadMatches() {
  const { live: { view: v, show, status }, plan, lang } = state;
  const recalls = keeps() && show !== "playing" && !status.seating, asks = recalls || status.continue;
  const list = v.match === null && asks ? await get("/api/matches?lang=" + lang).catch(() => null) : [];
  if (!list) return; // the next frame asks again
  const played = v.match === null && asks ? [...new Set(list.map(m => m.preset).filter(Boolean))] : state.played;
  change({ waiting: list.find(m => m.id === status.continue) ?? null, played });
  const seats = v.seats.map(({ id, name }) => ({ seat: id, name }));
  const last = v.match === null ? list[0] : { id: v.match, game: v.game, seats };
  if (!recalls || !last || last.id === plan.from || state.plan !== plan) return;
  fill(last.seats.filter(s => colours[s.seat]), { from: last.id, game: last.game });
}

let proposed = ""; // what the form was filled with

// prefill fills the form with the players whom a hall proposes, the first of whom begins, and
// with their game.
function prefill(seating) {
  const now = JSON.stringify(seating ?? "");
  if (now === proposed || seating && !state.games) return;
  proposed = now;
  if (!seating) return;
  const { plan, games } = state, seats = [...new Set([...plan.seats, ...Object.keys(colours)])];
  const played = seating.players.slice(0, seats.length).map((name, i) => ({ seat: seats[i], name }));
  const game = games.findLast(g => family(g) === seating.game)?.name ?? plan.game;
  fill(played, { game, first: seats[0] });
}

function fill(played, patch) {
  const { plan } = state, names = Object.fromEntries(played.map(p => [p.seat, p.name ?? ""]));
  change({ plan: { ...plan, ...patch, seats: played.map(p => p.seat), names: { ...plan.names, ...names } } });
}
