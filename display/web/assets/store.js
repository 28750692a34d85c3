// The state of the page, in one object. The actions change it, the parts draw it, and the
// selectors below hold queries that several of them share. What only one page has, its actions
// add with has.

import { locate } from "./cards.js";
import { plain } from "./plain.js";

export const state = {
  lang: "en",       // the language of the page
  requestedLang: "", // the language that the user chose, "" for the table's own
  theme: "",        // "light", "dark" or "" for the system's
  seat: "",         // the seat that the address names: ?seat=red
  settings: {},     // what this browser remembers: see actions/mine.js
  narrow: false,    // whether this is the page of a phone

  ofHall: false,    // whether the page is that of a hall
  bare: false,      // whether that hall keeps nothing
  live: null,       // the newest message of the stream
  since: 0,         // when its clock was as in its view, and the moment that is drawn, both as
  now: 0,           // performance.now() counts
  wall: 0,          // the time of day, in milliseconds, where a page needs it
  lost: false,      // whether the stream is broken
  trouble: null,    // the page's own error message
  gone: null,       // number of the receipt from before the page opened, or that was shown long enough
  news: { n: 0, lines: [] }, // the lines of the log that the newest change added, and its number

  games: null,      // the games of this table
  known: null,      // names of those who sat here
  played: [],       // the presets of matches that were played here, the newest first
  waiting: null,    // the match that waits to be continued, as /api/matches lists it
  result: null,     // the match summed up, when a round or the match has ended
  piles: [],        // hidden cards, on a simulated table
  texts: {},        // of cards, by kind
  onReader: {},     // the card on each seat's reader
  panel: 0,         // counts the pictures of the panel

  hand: { seat: null, asked: undefined }, // the seat whose hand is shown, and the seat asked last
  tour: 0,          // which of three things the page points out when a match begins, from 1
  dialog: null,     // the open dialog, with what it holds: { name, id, seat }
  sheet: "",        // what lies over the arena: a place, "log", "answers", "byhand" or nothing
  sent: null,       // the state of the match that this page has answered
  shut: null,       // the state of the match whose many answers the user closed
  drawer: false,    // whether the simulated hardware is open
  zoom: null,       // the card at full size: { place, card, why }
  only: "",         // the seat whose lines the opened log shows, "" for all
  rounds: null,     // "true" where a score sheet is shown by rounds, "" by seats; null if nobody has said
  thrown: {},       // the faces chosen so far for dice, by prompt and number

  // The match to begin; then the preset chosen last, by game, the title of one to keep, and the
  // search for one; whether the options are shown, and the match that the form was filled from.
  plan: { game: "", seats: ["red", "blue"], names: {}, options: {}, first: "", pools: "", pool: {}, computer: {},
    busy: false, chosen: {}, preset: "", sought: "", all: false, changing: false, from: "" },
};

export const has = fields => Object.assign(state, fields);

let drawing = null;        // draws the page
let due = false;           // whether a drawing is due
let early = false;         // whether there was one already before the next animation frame
let drawn = false;         // whether the page was drawn at all
const changed = new Set(); // what has changed since the last one

export function drawWith(draw) { drawing = draw; }

// change merges a patch into the state and schedules one drawing per animation
// frame, if anything differs or nothing was drawn yet. A hidden page has no
// animation frames, but its title must stay up to date.
export function change(patch) {
  const names = Object.keys(patch).filter(name => patch[name] !== state[name]);
  Object.assign(state, patch);
  for (const name of names) changed.add(name);
  if (due || drawn && !names.length) return;
  due = true;
  (document.hidden ? queueMicrotask : requestAnimationFrame)(() => {
    due = early = false;
    drawChanges();
  });
}

export function drawNow() {
  if (!due || early) return;
  early = true;
  drawChanges();
}

function drawChanges() {
  const names = [...changed];
  changed.clear();
  if (drawn && !names.length) return;
  drawn = true;
  drawing(state, names);
}

// mine returns the own seat of this browser, null if it shows the whole table:
// that of its code, else the one that the address names, if it plays.
export function mine(live = state.live) {
  const sits = live?.view.seats.some(s => s.id === state.seat) && !isComputer(state.seat, live);
  return live?.rights.seat || (sits ? state.seat : null);
}

export const keeps = () => state.live.rights.keep;

// isComputer reports whether the table itself plays a seat.
export const isComputer = (seat, live = state.live) => live?.status.computer?.includes(seat) ?? false;

// isTables reports whether a seat is the table's, also while people turn over a card for it.
export const isTables = (seat, live = state.live) => isComputer(seat, live) || live?.status.helped === seat;

// canPlay reports whether the table itself could play a seat of a game.
export const canPlay = g => g.cards.length > 0 &&
  g.options.every(o => o.name !== "cards" || optionOf(g, o) !== "off");

// strengthOf returns how strong the table itself shall play a seat; falsy for people.
export const strengthOf = (g, seat) => canPlay(g) && state.plan.computer[seat];

// shows reports whether this page shows how a seat answers, plays whether it may
// answer: one's own seat hides the answers of others.
export const shows = seat => !isComputer(seat) && (!mine() || seat === mine() || seat === "table");
export const plays = seat => state.live.writes && shows(seat);

// question returns the prompt at the top of the page: the own seat's if an answer is
// awaited, else the first. Prompts to count are none: each seat has one beside its number.
export function question(v = state.live.view) {
  const list = v.prompts.filter(p => !p.options.every(o => ["gain", "lose", "left", "right"].includes(o.key)));
  return list.find(p => p.seat === mine() && !p.may) ?? list.find(p => !isComputer(p.seat) && !p.may) ?? list[0] ??
    v.prompts[0];
}

export function isOthers(v) {
  const seat = question(v)?.seat;
  return Boolean(mine() || isComputer(seat)) && !shows(seat);
}

// isCounting reports whether nothing lies on the table: the game only counts.
export const isCounting = v => v.seats.length > 0 && [v, ...v.seats].every(s => !Object.keys(s.zones).length);

// onSheet reports whether a score sheet is shown by rounds: on a phone, its named rows have no room elsewhere.
export function onSheet({ rounds, narrow, live: { view: { sheet } } } = state) {
  return sheet?.rows.length > 0 && (rounds === null ? narrow && !sheet.rows[0].round : Boolean(rounds));
}

// byRounds returns the rows of a score sheet, with one for a round in which nobody has points yet.
export function byRounds({ sheet, round }) {
  const rows = sheet?.rows ?? [], begins = rows.at(-1)?.round < round;
  return begins ? [...rows, { id: "round-" + round, round, cells: {} }] : rows;
}

// dealForm returns the form of the deal that a score sheet asks for, if this page may fill it in.
export const dealForm = (v = state.live.view) => v.prompts.find(p => isOfDeal(p) && plays(p.seat))?.form;

export const isOfDeal = p => Boolean(p.form && !p.form.card);

// isBoxed reports whether a field is typed as a number, rather than chosen.
export const isBoxed = f => f.upto > 5 || f.words?.length > 12;

// applies reports whether a field belongs to a deal with such values.
export const applies = ({ fields }, values, f) => !f.of || fields.some(o =>
  (o.field === f.of || o.field.startsWith(f.of + "-")) && f.only.includes(values[o.field]));

// isBeside reports whether an answer of a game that counts is beside the question: its keys are,
// its numbers and rows are in the seat.
export const isBeside = o => o.key !== "winner" && o.input.startsWith("table ") || / key (next|no|yes)$/.test(o.input);

// winning returns the answer that a seat has won, where somebody says so.
export const winning = (v, seat) =>
  v.prompts.flatMap(p => p.options).find(o => o.key === "winner" && o.input.endsWith(" " + seat));

export const proposal = v => v.prompts.find(p => p.key === "lobby-seating");

export const players = live => live.status.seating?.players.join(" – ") ?? proposal(live.view).text;

export const acting = () => mine() ?? state.hand.seat ?? "table";

export const isAsked = seat => question()?.seat === seat;

const offered = (some = () => true) =>
  state.live.view.prompts.filter(p => shows(p.seat) && some(p)).flatMap(p => p.options);

// wanted returns the input with which a card answers a prompt, "" if it answers
// none. Without a card it returns the input for any card of the place. Where cards lie face
// down, those that are turned up are not asked for again.
function wanted(place, id) {
  const { view } = state.live, [seat, zone] = place.split("/");
  const turned = id && view.seats.find(s => s.id === seat)?.zones[zone]?.some(c => c.card === null);
  const answer = offered(p => !p.may)
    .find(o => o.zone ? o.zone === place && !turned : id && o.input.endsWith(" tap " + id));
  return !answer ? "" : answer.zone && id ? answer.input + " " + id : answer.input;
}

// verdict returns whether a card, or a place without one, answers now, as the rules see it:
// { legal: "yes", input }, { legal: "no", why } or { legal: null } for what is out of reach. A place
// answers only if it is asked for: what a seat may do besides is no answer.
export function verdict(place, id) {
  const { live } = state, n = live.legal?.[id || place], input = wanted(place, id), seat = question()?.seat;
  if (!seat || !shows(seat) || !input && (!id || n === undefined)) return { legal: null };
  if (n > 0) return { legal: "no", why: live.why[n - 1] };
  return { legal: "yes", input: input || `${seat} tap ${id}` };
}

// isToReveal reports whether a question waits for a pile that shows its top: no other card answers.
export const isToReveal = p => {
  const cards = p.options.filter(isDrawn);
  return !p.may && cards.length > 0 && cards.every(o => o.zone && mayOf(o.zone));
};

// meanwhile lists what the seat of this phone may do while others are asked, where it is no card.
// What counts has its own buttons.
export const meanwhile = () => isCounting(state.live.view) ? [] :
  offered(p => p.may && p.seat === mine()).filter(o => !isDrawn(o));

export const mayOf = place => offered(p => p.may).find(o => o.zone === place);

const touched = ({ dice }) => dice.length > 2 ? [] : dice;

export const choosing = die => touched(state.live.view).some(d => d.id === die) ?
  offered().find(o => o.input.endsWith(" choose " + die))?.input : undefined;

// isDrawn reports whether an answer is a card on the page, any card of a place, or a die.
export const isDrawn = o => Boolean(o.zone) || o.input.includes(" tap ") ||
  touched(state.live.view).some(d => o.input.endsWith(" choose " + d.id));

export const numberOf = o => / choose \d+$/.test(o.input) ? Number(o.input.split(" ").pop()) : null;

// answersOf lists the answers of a prompt that are neither cards nor faces of dice, each with
// its number for the keyboard.
export function answersOf(p) {
  if (isOfDeal(p)) return []; // its form has them
  const counts = isCounting(state.live.view);
  const list = p.options.filter(o => !isDrawn(o) && !(p.roll && (o.key === "throw" || o.key === "face")) &&
    (!counts || isBeside(o)));
  const asked = list.some(o => numberOf(o) !== null);
  return list.map((o, i) => ({ o, number: asked ? numberOf(o) : counts ? null : i + 1 }));
}

export const rolls = () => question()?.roll ? question() : state.live.view.prompts.find(p => p.roll && shows(p.seat));

// overflows reports whether answers have no room beside the question: on a phone two have, on
// a larger screen four in one row or eight in two.
export function overflows(list) {
  const n = list.length, letters = list.reduce((sum, { o }) => sum + o.text.length, 0);
  if (state.narrow) return n > 2 || n > 1 && list.some(({ o }) => o.text.length > 22);
  return n > 8 || 7 * n + letters > (n < 5 ? 84 : 160);
}

// sheetNow returns what lies over the arena. Answers without room lie there by themselves,
// but on a phone and where cards of the arena answer, too.
export function sheetNow() {
  const p = question(), { sheet, shut, narrow, hint, live: { view } } = state, list = p ? answersOf(p) : [];
  const own = p && shows(p.seat), many = state.live.writes && (own ? overflows(list) : meanwhile().length > 1);
  const fresh = hint?.match === view.match && hint.seq === view.seq;
  if (sheet === "answers" ? many : sheet === "hint" ? fresh : sheet) return sheet;
  return many && own && list.length === p.options.length && !narrow && shut !== view.seq ? "answers" : "";
}

// refusal returns the newest receipt while it refuses an input of this page, or null.
export function refusal() {
  const r = state.live.status.receipt;
  return r && r.outcome !== "accepted" && r.n !== state.gone && (!mine() || r.seat === mine()) ? r : null;
}

// hints reports whether the table can say what it would do in the place of a seat.
export const hints = (p = question()) => p && !p.may && !p.roll && plays(p.seat) && p.seat !== "table" &&
  state.live.status.simulated && !state.live.status.hall && !isTables(p.seat) && p.options.length > 0 && hasCards();

// hasCards reports whether the game of the match has cards.
export const hasCards = () => state.games?.find(g => g.name === state.live.view.game)?.cards.length > 0;

// unknownTag returns the unknown tag that was laid down last, or null if there
// is none or this browser may not teach it.
export function unknownTag() {
  const r = state.live.status.receipt, args = r?.reason?.args;
  return state.live.writes && r?.outcome === "unknown" && args?.learn ? args.tag : null;
}

export const staysOn = () => state.games?.find(g => g.name === state.live?.view.game)?.lifts ?? false;

// handOf returns the place of a seat's hand. During a draft this is the set that
// it picks from, and after that the cards that it has picked.
export const handOf = seat => ["/draft", "/drafted"].map(zone => seat + zone)
  .find(place => state.piles.some(p => p.place === place && p.cards.length)) ?? seat + "/hand";

export const textOf = kind => state.texts[kind];

// cardOf returns what is known of a card in a place: that of the view with its text, or that of
// a hand; null for one that nobody has named.
export function cardOf(place, id) {
  const held = state.piles.find(p => p.place === place)?.cards.find(c => c.id === id);
  const card = id ? locate(state.live.view, id)?.card : null, kind = card?.card ?? held?.kind;
  if (!kind) return null;
  const does = card?.state?.includes("face-down") ? "" : held?.does ?? textOf(kind) ?? "";
  return { ...card, kind, name: card?.name ?? held?.name ?? kind, does };
}

export const family = g => g.name.split("/")[0];

export const edition = g => g.edition.replaceAll("-", " ");

// chosenGame returns the game that was clicked or played last at this table, else the
// newest edition of the first game that has enough seats.
export function chosenGame() {
  const games = state.games ?? [], named = name => games.find(g => g.name === name);
  const first = games.filter(g => family(g) === family(games[0]));
  return named(state.plan.game) ??
    first.findLast(g => g.max >= state.plan.seats.length) ?? first.at(-1);
}

// seatsFor lists the planned seats up to the game's limit. The others stay in
// the plan.
export const seatsFor = g => state.plan.seats.slice(0, limits(g).max);

// limits has the least and the greatest number of seats: those of a preset, or of the game.
export const limits = g => presetOf(g) ?? g;

export const optionOf = (g, o) => state.plan.options[g.name + " " + o.name] ?? o.default;

export const chosenPreset = g => g.presets.find(p => p.name === state.plan.chosen[g.name]);

// presetOf returns the preset that was chosen, as long as nobody changed its options, or undefined.
export function presetOf(g) {
  const p = chosenPreset(g), fits = o => optionOf(g, o) === (p.options[o.name] ?? o.default);
  return p && g.options.every(fits) ? p : undefined;
}

// withPreset returns the plan's options with all those of a preset of a game, or with its defaults.
export function withPreset(g, name) {
  const values = g.presets.find(p => p.name === name)?.options ?? {}, { options, chosen } = state.plan;
  const all = g.options.map(o => [g.name + " " + o.name, values[o.name] ?? o.default]);
  return { options: { ...options, ...Object.fromEntries(all) }, chosen: { ...chosen, [g.name]: name } };
}

const bare = p => p.title.replace(/^(l'|les? |la )/i, ""); // L'ascenseur stands under A

// presetsFound lists the presets whose titles or English names have what is sought: those that were
// played here last, then the owner's, then the others, by their titles.
export function presetsFound(g) {
  const { plan, played, lang } = state, at = p => played.indexOf(p.name) + 1 || 999;
  const order = (a, b) => at(a) - at(b) || Boolean(b.own) - Boolean(a.own) || bare(a).localeCompare(bare(b), lang);
  const found = p => plain(p.title + " " + p.name.replaceAll("-", " ")).includes(plain(plan.sought));
  return g.presets.filter(found).sort(order);
}

export const boxes = () => (state.games ?? []).filter(g => g.cards.length > 0);
export const boxOnTable = () => boxes().find(g => g.name === state.live.view.game);
