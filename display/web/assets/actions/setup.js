// The first page: the form with game, seats, names and options of the match to begin, a
// match that plays itself, and what is pointed out in a first match.

import { remember } from "../memory.js";
import { colours } from "../seats.js";
import { change, chosenGame, optionOf, presetOf, presetsFound, seatsFor, state } from "../store.js";
import { loadGames } from "./frames.js";
import { close } from "./page.js";
import { tell } from "./server.js";

// watch starts or stops the match that plays itself.
export function watch({ do: what, game }) {
  close();
  return tell("/api/show", { do: what, ...(game && { game }) });
}

// hint sets whether three things are pointed out when a match begins.
export function hint({ checked }) {
  remember("hints", checked ? "" : "seen");
  change({ hints: checked });
}

// point goes on to what is pointed out next; 0 ends that for good.
export function point({ to }) {
  if (!Number(to)) hint({ checked: false });
  change({ tour: Number(to) });
}

const planned = patch => change({ plan: { ...state.plan, ...patch } });

// changing shows the options in the place of the players, or the players again.
export function changing({ on }) {
  planned({ changing: !!on });
  change({ focus: { on: on ? ".options :is(select, button, input)" : ".chosen button" } });
}

// game chooses a game without a preset, and adds seats up to the number that it needs.
export function game({ game: name }) {
  planned({ game: name });
  const g = chosenGame(), seats = [...state.plan.seats];
  if (presetOf(g)) preset({ of: name, preset: "" });
  for (const id of Object.keys(colours)) if (seats.length < g.min && !seats.includes(id)) seats.push(id);
  planned({ seats, first: state.plan.first === "?" && !g.finds_first ? "" : state.plan.first });
}

// place adds or removes a seat. If the game allows no more, the new seat
// replaces the last one.
export function place({ place: seat }) {
  const g = chosenGame(), taken = seatsFor(g), others = taken.filter(id => id !== seat), { first } = state.plan;
  const seats = others.length < taken.length ? others : [...taken.slice(0, g.max - 1), seat];
  planned({ seats, first: first === "?" || seats.includes(first) ? first : "" });
  change({ focus: { on: `[data-place="${seat}"]` } });
}

// up moves a seat one place forward.
export function up({ up: seat }) {
  const seats = state.plan.seats.filter(id => id !== seat);
  seats.splice(state.plan.seats.indexOf(seat) - 1, 0, seat);
  planned({ seats });
  change({ focus: { on: `:is([data-up="${seat}"], [data-place="${seat}"])` } });
}

// named sets the name of a seat, for the next visit too.
export function named({ name: seat, value }) {
  const names = { ...state.plan.names, [seat]: value };
  remember("names", JSON.stringify(names));
  planned({ names });
}

const optioned = (name, value) =>
  planned({ options: { ...state.plan.options, [chosenGame().name + " " + name]: value } });

// option chooses the value of an option, or the seat that begins.
export function option({ pick, value }) {
  if (pick === "first") planned({ first: value });
  else optioned(pick.slice("option ".length), value);
}

// preset chooses a game with all options of a preset, or with the defaults.
export function preset({ of: name, preset: title }) {
  planned({ game: name });
  const g = chosenGame(), chosen = g.presets.find(p => p.name === title)?.options ?? {};
  const all = g.options.map(o => [g.name + " " + o.name, chosen[o.name] ?? o.default]);
  const { options, chosen: others } = state.plan;
  planned({ options: { ...options, ...Object.fromEntries(all) }, chosen: { ...others, [g.name]: title } });
}

export const seekPreset = ({ value }) => planned({ sought: value });

// findPreset chooses the first of the presets found.
export function findPreset() {
  const g = state.games.find(g => presetsFound(g).length > 0);
  if (g) preset({ of: g.name, preset: presetsFound(g)[0].name });
}

export const presetTitle = ({ value }) => planned({ preset: value });

// keepPreset keeps the options under the title that was typed.
export async function keepPreset() {
  const g = chosenGame(), { preset: title } = state.plan, { options } = setupOf(g, state.plan);
  if (!await tell("/api/presets", { do: "keep", game: g.name, title, options })) return;
  planned({ preset: "" });
  await loadGames();
}

// addPresets keeps the presets of a file that somebody gave.
export async function addPresets({ file }) {
  if (file && await tell("/api/presets", { do: "add", text: await file.text() })) await loadGames();
}

export async function removePreset({ name }) {
  if (await tell("/api/presets", { do: "remove", game: chosenGame().name, name })) await loadGames();
}

// check adds a value to an option's list or removes it; the list keeps the
// game's order.
export function check({ check: name, value, checked }) {
  const o = chosenGame().options.find(o => o.name === name);
  const on = (optionOf(chosenGame(), o) ?? o.default).split(",").map(v => v.trim());
  const list = o.values.map(v => v.value).filter(v => v === value ? checked : on.includes(v));
  optioned(name, list.join(","));
}

// pools records the card lists that were typed, pool the ready-made list of a
// seat.
export const pools = ({ value }) => planned({ pools: value });
export const pool = ({ pool: seat, value }) => planned({ pool: { ...state.plan.pool, [seat]: value } });

// begin begins the match.
export async function begin() {
  if (state.plan.busy) return;
  planned({ busy: true });
  const done = await tell("/api/match", { do: "begin", setup: setupOf(chosenGame(), state.plan) });
  planned({ busy: false });
  if (!done) return;
  close();
  if (state.hints) change({ tour: 1 });
}

function setupOf(g, plan) {
  const places = seatsFor(g), options = {};
  for (const o of g.options) {
    const value = optionOf(g, o);
    if (value !== undefined && value !== o.default) options[o.name] = value;
  }
  const first = plan.first === "?" ? places[Math.floor(Math.random() * places.length)] : plan.first;
  const lines = plan.pools.split("\n").map(l => l.trim().split(/\s+/)).filter(l => l.length > 1);
  const ready = places.filter(seat => g.pools.some(p => p.value === plan.pool[seat]));
  return {
    game: g.name, options, ...(places.includes(first) && { first }),
    seats: places.map(seat => ({ seat, name: (plan.names[seat] || "").trim() })),
    pools: [
      ...lines.map(([seat, card, n]) => ({ seat, card, ...(n && { n: Number(n) || 1 }) })),
      ...ready.map(seat => ({ seat, card: plan.pool[seat] })),
    ],
  };
}
