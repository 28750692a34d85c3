// The state of the page, in one object. The actions change it, the parts draw
// it, and the selectors below answer what more than one of them asks.

import { idOf, kinds } from "./cards.js";

export const state = {
  lang: "en",       // the language of the page
  wish: "",         // the language that was asked for, "" for the table's own
  theme: "",        // "light", "dark" or "" for the system's
  shortcuts: true,  // whether the keyboard presses the table's keys

  live: null,       // the newest message of the stream
  lost: false,      // whether the stream is broken
  trouble: null,    // what the page itself has to say
  seen: 0,          // number of the newest receipt
  stale: null,      // number of the receipt that the page found when it opened

  games: null,      // what can be played
  lastGame: null,   // what was played last on this browser
  matches: null,    // all matches, while their dialog is open
  piles: [],        // hidden cards, on a simulated table
  told: {},         // name and text of cards by language and kind: { name, does }
  pictures: {},     // newest picture of panel and strip by name: { url, width, height }

  // Whose hand is shown, who was asked last, and whose hand stays for the match.
  hand: { seat: null, asked: undefined, pinned: null, match: null },
  lying: {},        // the card on each seat's reader
  pulse: null,      // the newest receipt, shown at its reader: { seat, outcome, n }
  thrown: { of: "", faces: {} }, // the dice of one question that were entered so far

  // The match to begin: it can be drawn again at any time.
  plan: { game: "", seats: ["red", "blue"], names: {}, options: {}, first: "", pools: "", pool: {}, busy: false },
  lesson: null,     // what a tag is taught: { id, tag, kind, game, cards, sought, trouble, busy, learnt }
  dialog: null,     // what opens above the page: { name, seat, told }
  focus: null,      // what gets the focus with the next drawing: { on, show }
};

let drawing = null; // draws the page
let due = false;    // whether a drawing is due

// drawnBy says how the page is drawn.
export function drawnBy(draw) { drawing = draw; }

// change takes over a patch of the state and has the page drawn, once for each
// animation frame. A hidden page has none, but its title must stay true.
export function change(patch) {
  Object.assign(state, patch);
  if (due) return;
  due = true;
  (document.hidden ? queueMicrotask : requestAnimationFrame)(() => {
    due = false;
    drawing(state);
  });
}

// --- the table -------------------------------------------------------------

// acting is the seat that the keyboard plays for.
export const acting = () => state.hand.seat ?? "table";

// isAsked reports whether a seat is asked first.
export const isAsked = seat => state.live.view.prompts[0]?.seat === seat;

// wanted returns the input that a card gives in answer to a prompt, "" for
// none. Without a card it is that of any card of the place.
export function wanted(place, id) {
  for (const p of state.live.view.prompts) for (const o of p.options) {
    if (o.zone === place && place) return id ? o.input + " " + id : o.input;
    if (id && !o.zone && o.input.endsWith(" tap " + id)) return o.input;
  }
  return "";
}

// unknownTag returns the tag that was laid down last, where the table would
// learn it from this browser; else null.
export function unknownTag() {
  const r = state.live.status.receipt, args = r?.reason?.args;
  return state.live.writes && r?.outcome === "unknown" && args?.learn ? args.tag : null;
}

// staysOn reports whether cards of this game stay on the readers.
export const staysOn = () => state.games?.find(g => g.name === state.live?.view.game)?.lifts ?? false;

// handOf is the place of the cards that a seat holds in the hand: during a
// draft those that it picks from, then those that it has picked.
export const handOf = seat => ["/draft", "/drafted"].map(zone => seat + zone)
  .find(place => state.piles.some(p => p.place === place && p.cards.length)) ?? seat + "/hand";

// faceOf returns the face that was entered for a die of a question.
export const faceOf = (question, die) => state.thrown.of === question ? state.thrown.faces[die] ?? null : null;

// --- texts of cards --------------------------------------------------------

// told returns name and text of a kind of card, where they are known.
export const told = kind => state.told[state.lang + "/" + kind];

export const textOf = kind => told(kind)?.does;

// readable lists the kinds among cards that lie open and whose text is known.
export const readable = cards => kinds(cards).filter(textOf);

// topOf finds the open card that lies on top of a pile.
export const topOf = (zone, pile) => zone?.find(c => idOf(c) === pile.cards[0].id);

// --- games -----------------------------------------------------------------

export const family = g => g.name.split("/")[0];

// chosenGame is the one that was clicked, else what was played last on this
// browser, else the newest edition of the first game, for as many as are seated.
export function chosenGame() {
  const games = state.games ?? [], named = name => games.find(g => g.name === name);
  const first = games.filter(g => family(g) === family(games[0]));
  return named(state.plan.game) ?? named(state.lastGame) ??
    first.findLast(g => g.max >= state.plan.seats.length) ?? first.at(-1);
}

// seatsFor lists the seats that a game takes. Who is too many for it stays in
// the plan.
export const seatsFor = g => state.plan.seats.slice(0, g.max);

// optionOf returns what was chosen for an option, undefined where nothing was.
export const optionOf = (g, o) => state.plan.options[g.name + " " + o.name];

// boxes lists the games that have cards, and boxOnTable the one that is played.
export const boxes = () => (state.games ?? []).filter(g => g.cards.length > 0);
export const boxOnTable = () => boxes().find(g => g.name === state.live.view.game);
