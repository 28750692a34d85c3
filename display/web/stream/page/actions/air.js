// What is on air: the frames, as late as the streamer wants; events, one at a
// time; a card that was played; the matches won.

import { idOf } from "../cards.js";
import { nameKey } from "../plain.js";
import { change, has, state } from "../store.js";
import { spoken } from "../words.js";
import { received } from "./clock.js";
import { loadChances } from "./chances.js";
import { get } from "./server.js";

has({
  told: null,   // the event that is shown: { key, seat, text }
  played: null, // the card that is shown large, with its seat
  wins: {},     // matches won before this one, by nameKey of the player's name or seat
});

const LINE = 2000; // an event is shown at least so long, in milliseconds
const CARD = 4000; // a played card is shown so long
const MOST_LINES = 5, MOST_CARDS = 3, MOST_FRAMES = 200; // waiting at once

// air returns what takes the stream's frames, and shows them when their delay is
// over. A page that was just opened shows nothing before that either.
export function air(wants) {
  const waiting = [];
  const next = () => {
    while (waiting.length && waiting[0].due <= Date.now()) show(waiting.shift().live, wants);
    if (waiting.length) setTimeout(next, waiting[0].due - Date.now());
  };
  return live => {
    if (!wants.delay) return show(live, wants);
    // Where too many frames wait, the newest replaces the one before it, so that
    // none comes too early.
    if (waiting.length >= MOST_FRAMES) waiting.pop();
    waiting.push({ due: Date.now() + 1000 * wants.delay, live: { ...live, history: live.history.slice(-MOST_LINES) } });
    if (waiting.length === 1) setTimeout(next, 1000 * wants.delay);
  };
}

function show(live, wants) {
  const before = state.live?.view, other = before?.match !== live.view.match;
  change({ ...received(live), live, lang: spoken(live.lang) || state.lang });
  if (wants.events) tell(live, other);
  if (wants.cards) playCards(live, other ? null : before);
  if (wants.chances) loadChances(live.view);
  if (wants.best && !wants.wins && other) countWins(live.view, wants.best);
}

// --- events, one at a time -------------------------------------------------

let lines = [];     // still to be shown
let lastLine = 0;   // number of the newest input whose lines were taken
let telling = null; // the timer of the shown line

function tell({ history }, other) {
  const fresh = history.filter(e => !e.undone && (other || e.n > lastLine));
  const now = fresh.flatMap(e => e.lines.map((text, i) => ({ key: e.n + "." + i, seat: e.of?.[i] ?? e.seat, text })));
  lastLine = history.at(-1)?.n ?? 0;
  if (other) {
    clearTimeout(telling);
    telling = null;
    lines = now.slice(-1);
    change({ told: null });
  } else {
    if (fresh.some(e => e.event === "undo")) lines = []; // what waits has not happened
    lines = [...lines, ...now].slice(-MOST_LINES);
  }
  if (!telling) nextLine();
}

function nextLine() {
  telling = lines.length ? setTimeout(nextLine, LINE) : null;
  if (lines.length) change({ told: lines.shift() });
}

// --- cards that are played -------------------------------------------------

const away = /(^|\/)(hand|deck|discard|freeze|incubator|pool-\d+|.*-row|.*-discard)$/; // not played by going there
let cards = [];     // still to be shown
let playing = null; // the timer of the shown card
let lastCard = "";  // the card shown last, which may move on

function playCards({ events, view }, before) {
  if (!before || ["undo", "redo"].includes(events[0]?.event)) return;
  const lay = new Set(before.seats.flatMap(s => Object.values(s.zones).flat()).map(idOf));
  for (const e of events) {
    const isPlayed = e.seat && e.card && e.to && e.to !== e.from && !away.test(e.to);
    if (!isPlayed || lay.has(e.card) || e.card === lastCard) continue;
    const card = [view, ...view.seats].flatMap(s => Object.values(s.zones).flat())
      .find(c => c.card !== null && idOf(c) === e.card);
    if (!card) continue;
    lastCard = e.card;
    cards = [...cards, { ...card, seat: e.seat }].slice(-MOST_CARDS);
  }
  if (!playing && cards.length) nextCard();
}

function nextCard() {
  playing = cards.length ? setTimeout(nextCard, CARD) : null;
  change({ played: cards.shift() ?? null });
}

// --- matches won -----------------------------------------------------------

const EVENING = 12 * 3600e3; // matches further apart belong to different evenings, in milliseconds
const players = seats => seats.map(s => nameKey(s.name || s.seat || s.id)).sort().join("\n");

// countWins counts the matches that each player has won in the series to which
// the shown match belongs: of the same game and players, one after the other, and
// from the start again when somebody has won most of the series.
async function countWins(view, best) {
  change({ wins: {} });
  const all = await get("/api/matches").catch(() => []);
  const now = all.findIndex(m => m.id === view.match);
  if (state.live.view.match !== view.match) return;
  const same = [];
  let later = now < 0 ? Date.now() : Date.parse(all[now].begin);
  for (const m of all.slice(now + 1)) {
    const begin = Date.parse(m.begin);
    if (later - begin > EVENING) break;
    later = begin;
    if (m.state === "finished" && m.game === view.game && players(m.seats) === players(view.seats)) same.unshift(m);
  }
  let wins = {};
  for (const { winners = [], seats } of same) {
    if (Math.max(0, ...Object.values(wins)) > best / 2) wins = {};
    const one = winners.length === 1 && seats.find(s => s.seat === winners[0]);
    const who = one && nameKey(one.name || one.seat);
    if (one) wins[who] = (wins[who] ?? 0) + 1;
  }
  if (Math.max(0, ...Object.values(wins)) > best / 2) wins = {};
  change({ wins });
}
