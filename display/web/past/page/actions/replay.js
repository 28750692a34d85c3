// Actions of the page that replays a match. state.replay holds the match with the view
// after each input, the shown moment, and whether it plays by itself.

import { change, state } from "../store.js";
import { say } from "../words.js";
import { imagine } from "./chances.js";
import { get, send } from "./server.js";
import { followTable } from "./shell.js";
import * as watch from "./watch.js";

const PACES = [1, 2, 4, 8]; // moments in 1.5 seconds
const put = patch => change({ replay: { ...state.replay, ...patch } });

let timer = 0;

// start loads the match: from the page itself, if the match came with it. Then there is no table
// behind the page. The match that is being played is followed. state.table is what the table shows.
export async function start() {
  const inside = document.getElementById("recording"), follows = !inside && match() === "";
  watch.start({
    table: null,
    replay: {
      n: 0, still: false, playing: false, pace: 1, by: "move", logs: "", note: null, noted: 0, trouble: "", follows,
      chances: [], known: false,
      served: !inside, keep: false,
    },
  });
  if (inside) return load(JSON.parse(inside.textContent), false);
  await fetchMatch();
  if (!follows) findChances();
  const { keep } = await followTable({ frame: table => {
    change({ table });
    if (follows) follow(table);
  } });
  put({ keep: Boolean(keep) });
}

const SETTLED = 1500; // until then somebody looks at the match itself, in milliseconds

async function findChances() {
  await new Promise(done => setTimeout(done, SETTLED));
  const { match: recording } = state.replay, add = found => [...state.replay.chances, found].sort((a, b) => a.n - b.n);
  if (recording && await imagine(recording, found => put({ chances: add(found) }))) put({ known: true });
}

// match returns the match that the address names, "" for the current one.
function match() {
  const id = decodeURIComponent(location.pathname.split("/").pop());
  return id === "current" ? "" : id;
}

async function fetchMatch(moment) {
  const query = new URLSearchParams({ match: match(), lang: state.requestedLang || state.lang });
  try {
    const recording = await get("/api/replay?" + query);
    load(recording, true, moment?.(recording));
  } catch (e) {
    put({ trouble: e.cause ? e.message : say("page.away") });
  }
}

// patched returns a view with the operations of a JSON Patch (RFC 6902) applied, as far as the table uses
// it. What does not change is shared with the old view, which stays as it was.
const patched = (view, patch) => patch.reduce((now, op) =>
  changed(now, op.path.split("/").slice(1).map(name => name.replaceAll("~1", "/").replaceAll("~0", "~")), op), view);

function changed(value, [name, ...rest], op) {
  if (name === undefined) return op.value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (!rest.length && op.op === "remove") delete copy[name];
  else copy[name] = changed(copy[name], rest, op);
  return copy;
}

// load takes a recording, and shows a moment: without one that which the address names, or
// the first, or of a match that is followed and not over the newest.
function load(match, linked, n) {
  const views = [match.view];
  for (const { patch } of match.steps) views.push(patched(views.at(-1), patch));
  change({ lang: match.lang });
  put({ match, views, linked, scenes: scenesOf(match, views), trouble: "" });
  const newest = state.replay.follows && !views.at(-1).winners.length;
  show(n ?? (Number(location.hash.slice(1)) || (newest ? Infinity : 0)));
}

const PAUSE = 1000; // between two recordings of a match that is followed, in milliseconds
const LONG = 30000; // the longest wait after trouble

let asking = false; // whether a recording is on its way
let newest = null;  // the newest view of the table
let retry = 0;      // the timer after trouble
let wait = PAUSE;   // of that timer

// follow fetches the match again when the table has gone on. Who looks at its newest
// moment sees the next one, who looks at an older one stays there. A table that cannot
// write to its disk shows more than a recording has: then the next frame tries again.
async function follow({ view }) {
  newest = view;
  if (asking) return;
  asking = true;
  clearTimeout(retry);
  while (behind()) {
    const sought = newest, had = recorded();
    await fetchMatch(next => {
      const { match, views, n } = state.replay;
      return match?.match === next.match && n < views.length - 1 ? n : Infinity;
    });
    await new Promise(done => setTimeout(done, PAUSE));
    if (state.replay.trouble) {
      retry = setTimeout(() => follow({ view: newest }), wait);
      wait = Math.min(wait * 2, LONG);
      break;
    }
    wait = PAUSE;
    if (recorded() === had && newest === sought) break;
  }
  asking = false;
}

const recorded = () => state.replay.match?.match + " " + state.replay.match?.steps.length;

function behind() {
  const { match } = state.replay;
  if (newest.match === null || match?.stopped && match.match === newest.match) return false;
  return match?.match !== newest.match || match.steps.length < newest.seq;
}

function scenesOf({ steps, moves, result: { counter } }, views) {
  const values = v => [...v.seats, v].map(s => s.counters?.[counter] ?? 0).join();
  const all = { move: steps.map((_, i) => i + 1), score: [], round: [], turn: [...new Set(moves.map(m => m.n))] };
  for (const n of all.move) {
    if (views[n].round > views[n - 1].round) all.round.push(n);
    if (counter && values(views[n]) !== values(views[n - 1])) all.score.push(n);
  }
  return all;
}

// show shows the table after input n, still or with pucks that slide there. Nobody answers
// what was asked then.
function show(n, still = false) {
  const { match, views } = state.replay;
  const at = Math.trunc(Math.min(Math.max(n || 0, 0), views.length - 1));
  const view = { ...views[at], prompts: views[at].prompts.map(p => ({ ...p, options: [] })) };
  const live = {
    view, events: [], history: historyAt(match.steps, at), lang: match.lang, show: "", pictures: [],
    writes: false, rights: { play: false, keep: false, seat: "" },
    status: { receipt: null, cursor: -1, keeping: true, trouble: "", continue: "", health: [], simulated: false },
  };
  change({ live, replay: { ...state.replay, n: at, still, playing: state.replay.playing && at < views.length - 1 } });
  naming ||= setTimeout(name, NAMED);
}

const NAMED = 200; // between two changes of the address, in milliseconds: they take a browser long

let naming = 0;

function name() {
  const { n, follows, views } = state.replay, unnamed = n === 0 || follows && n === views.length - 1;
  naming = 0;
  history.replaceState(history.state, "", unnamed ? location.pathname + location.search : "#" + n);
}

const AROUND = 40; // entries of the log that are shown

function historyAt(steps, n) {
  const list = [];
  for (let i = n; i > 0 && list.length < AROUND; i--) {
    const { event, seat, lines, struck = [] } = steps[i - 1];
    const undone = struck.filter(by => by <= n).length % 2 === 1;
    if (lines?.length) list.unshift({ n: i, event, seat, lines, undone, again: false, back: 0 });
  }
  return list;
}

// seek shows a moment, and stops the film. The slider, which gives a value, goes on
// before a puck has arrived.
export function seek({ n, value }) {
  pause();
  show(Number(n ?? value), value !== undefined);
}

// step goes on to the next moment of the chosen kind, or back to the one before.
export function step({ by }) {
  const { scenes, by: kind, n, views } = state.replay, list = scenes[kind];
  pause();
  show(by > 0 ? list.find(at => at > n) ?? views.length - 1 : list.findLast(at => at < n) ?? 0);
}

// whatIf goes on from the shown moment, against the table.
export async function whatIf() {
  const { match: recording, n, views } = state.replay, v = views[n], sits = id => v.seats.some(s => s.id === id);
  const seat = [...v.prompts.map(p => p.seat), v.turn, v.seats[0].id].find(sits);
  const said = await send("/api/match", { do: "what-if", match: recording.match, seq: n, seat });
  if (said.ok) location.assign("/");
  else put({ trouble: said.text });
}

// turn shows the turning points beside the seats, mistakes or the log.
export const turn = ({ log }) => put({ logs: log });

// noting fetches what somebody wrote about the match, for the box that opens.
export async function noting() {
  put({ note: null });
  try {
    const all = await get("/api/history");
    put({ note: all.find(m => m.id === state.replay.match.match)?.note ?? "", trouble: "" });
  } catch { // an empty field would erase the note
    put({ trouble: say("page.away") });
  }
  change({ focus: { on: "#noting input" } });
}

export async function note({ text }) {
  const said = await send("/api/history", { do: "note", match: state.replay.match.match, text });
  put(said.ok ? { noted: state.replay.noted + 1, trouble: "" } : { trouble: said.text });
}

// jumpBy chooses the kind of moment that step goes to.
export const jumpBy = ({ value }) => put({ by: value });

// pace goes to the next faster pace, and from the fastest to the slowest.
export function pace() {
  put({ pace: PACES[(PACES.indexOf(state.replay.pace) + 1) % PACES.length] });
  if (state.replay.playing) run();
}

// play starts and pauses the film. At the end it starts again.
export function play() {
  const { playing, n, views } = state.replay;
  if (playing) return pause();
  if (n === views.length - 1) show(0);
  put({ playing: true });
  run();
}

function pause() {
  clearTimeout(timer);
  if (state.replay.playing) put({ playing: false });
}

function run() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    show(state.replay.n + 1);
    if (state.replay.playing) run();
  }, 1500 / state.replay.pace);
}
