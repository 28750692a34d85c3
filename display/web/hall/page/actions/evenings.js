// Actions of the pages with evenings. state.evening holds which page it is (view: all, one or
// seat), the evening's id and name, what the hall told last (all, one or seat), whether this
// browser may change it (keep), the titles of games, the round that is shown (0 for the running
// one), how often each thing was done, and the player of this phone.

import { recall, remember } from "../memory.js";
import { change, state } from "../store.js";
import { connect, stream, turnTo } from "../stream.js";
import { say } from "../words.js";
import { get, send } from "./server.js";
import { lost, start as watch, tick } from "./watch.js";

export { leave, project } from "./rotate.js";

const SCORES = 5000; // milliseconds between two looks at the tables' scores

const put = patch => change({ evening: { ...state.evening, ...patch } });
const path = () => "/api/evenings/" + encodeURIComponent(state.evening.id);

// start finds out which page it is, and loads it.
export function start() {
  const [, , id, seat] = location.pathname.split("/").map(decodeURIComponent);
  watch({
    ofHall: true,
    evening: {
      view: !id ? "all" : seat ? "seat" : "one", id: id ?? "", name: "", all: null, one: null, seat: null, keep: false,
      kept: true, tables: [], games: new Map(), round: 0, done: {}, trouble: "", sought: "", player: 0,
    },
  });
  tick();
  setInterval(() => runs(state.evening.one, Date.now() - 2000) && change({ wall: Date.now() }), 1000);
  if (!id) return loadAll();
  const player = new URLSearchParams(location.search).get("player") ?? recall("evening." + id);
  if (seat) return Number(player) ? choose({ player }) : load();
  setInterval(() => document.hidden || !state.evening.one?.missing || loadTables(), SCORES);
  return load();
}

// runs reports whether the clock of the running round was not over at some time.
const runs = (one, then) => !one?.over && Date.parse(one?.rounds.at(-1)?.ends ?? 0) > then;

// load gets the evening and follows it.
async function load() {
  try {
    take(await get(path() + "?lang=" + state.lang));
    listenTo(path() + "/live");
    loadTables();
    if (state.evening.one?.game) loadGames();
  } catch (e) {
    put({ trouble: e.cause ? e.message : say("page.away") });
  }
}

async function loadAll() {
  try {
    const { kept, keep, evenings } = await get("/api/evenings");
    put({ all: evenings, kept, keep });
    change({ bare: !kept });
    if (keep && kept) loadTables();
    if (kept) loadGames();
  } catch (e) {
    put({ trouble: e.cause ? e.message : say("page.away") });
  }
}

// loadTables gets the tables that the hall hears.
const loadTables = () => get("/api/tables").then(({ tables }) => put({ tables }), () => {});

// loadGames gets the titles of the games that the hall knows.
const loadGames = () => get("/api/games?lang=" + state.lang)
  .then(games => put({ games: new Map(games.flatMap(g =>
    [[g.name.split("/")[0], g.title], ...g.presets.map(p => [p.name, p.title])])) }), () => {});

let following = false;

// listenTo follows the evening, or a player in it.
function listenTo(of) {
  if (following) return turnTo(of);
  following = true;
  stream({ evening: take, lost }, of);
}

// take takes the hall's data about the evening, or about a player in it.
function take({ keep, evening: one, seating: seat }) {
  if (one) put({ one, keep, name: one.name, trouble: "" });
  else if (seat && state.evening.player) put({ seat, keep, name: seat.name, trouble: "" });
  change({ lost: false });
}

// --- the seat of one player -----------------------------------------------

// choose says who this is. A number that nobody has is forgotten.
export async function choose({ player }) {
  const n = Number(player), of = path() + "/players/" + n;
  put({ player: n, seat: null });
  try {
    take(await get(of + "?lang=" + state.lang));
  } catch (e) {
    if (e.cause === 404) return stranger();
  }
  if (state.evening.player !== n) return undefined; // somebody was faster
  remember("evening." + state.evening.id, player);
  return listenTo(of + "/live");
}

// stranger forgets who this was.
export function stranger() {
  remember("evening." + state.evening.id, "");
  put({ player: 0, seat: null });
  return load();
}

export const seek = ({ value }) => put({ sought: value });

// --- changes --------------------------------------------------------------

// tell sends a change. The stream brings the result. The form of the change, by default
// named after it, is emptied.
async function tell(body, form = body.do) {
  const said = await send(path(), body), { done } = state.evening;
  put({ trouble: said.ok ? "" : said.text, done: said.ok ? { ...done, [form]: (done[form] ?? 0) + 1 } : done });
  if (!said.ok) change({ focus: { on: ".said" } });
  else if (state.lost) connect();
  return said.ok;
}

// tellAt sends a change of a pairing, which then has the focus.
async function tellAt({ round, board }, body) {
  const at = `${round}.${board}`;
  if (await tell(body, at)) change({ focus: { on: `[data-k="${at}"] summary` } });
}

const lines = text => text.split("\n").map(line => line.trim()).filter(Boolean);
const words = text => text.split(",").map(word => word.trim()).filter(Boolean);

let creating = false; // a second press would create it twice

// create begins an evening and opens it. The tables are boxes, and names with commas.
export async function create({ name, format, game, size, minutes, best, third, players, more, ...boxes }) {
  if (creating) return;
  creating = true;
  const ticked = Object.keys(boxes).filter(box => box.startsWith("table ")).map(box => box.slice(6));
  const tables = [...ticked, ...words(more)];
  const said = await send("/api/evenings", {
    name, format, game, size: Number(size), minutes: Number(minutes), best: best ? 3 : 1, third: !!third,
    players: lines(players), tables,
  });
  if (said.ok) return location.assign("/evenings/" + encodeURIComponent(said.said.id) + "?lang=" + state.lang);
  creating = false;
  put({ trouble: said.text });
  change({ focus: { on: ".said" } });
}

const begin = (round, body) => tell({ ...body, round: Number(round) }).then(() => put({ round: 0 }));
export const next = ({ round }) => begin(round, { do: "next" });
export const pair = ({ round, text }) => begin(round, { do: "pair", pairings: lines(text).map(words) });
export const clock = ({ minutes }) => tell({ do: "clock", minutes: Number(minutes) });
export const undo = ({ seq }) => tell({ do: "undo", seq: Number(seq) });
export const redo = ({ seq }) => tell({ do: "redo", seq: Number(seq) });
export const end = () => tell({ do: "over" });
export const open = () => tell({ do: "on" });
export const join = ({ names }) => tell({ do: "players", names: lines(names) });
export const rename = ({ player, name }) => tell({ do: "rename", player: Number(player), name });
export const out = ({ player }) => tell({ do: "out", player: Number(player) });
export const back = ({ player }) => tell({ do: "in", player: Number(player) });
export const use = ({ names }) => tell({ do: "tables", names: words(names) });
export const drop = ({ name }) => tell({ do: "no-table", name });
export const move = ({ name, ...at }) => tellAt(at, { do: "move", board: Number(at.board), name });
export const swap = ({ player, other, ...at }) =>
  tellAt(at, { do: "swap", player: Number(player), other: Number(other) });
export const accept = ({ n }) => tell({ do: "take", n: Number(n) });
export const dismiss = ({ n }) => tell({ do: "dismiss", n: Number(n) });

// result enters places, or removes them if there are none. Selects are named place 0, 1….
export function result({ round, board, places, ...chosen }) {
  const list = Object.keys(chosen).filter(name => name.startsWith("place ")).map(name => Number(chosen[name]));
  const given = places === undefined ? list : places.split(",").filter(Boolean).map(Number);
  return tellAt({ round, board }, { do: "result", round: Number(round), board: Number(board), places: given });
}

// --- what is shown ---------------------------------------------------------

export const show = ({ round }) => put({ round: Number(round) });

export const print = () => window.print();
