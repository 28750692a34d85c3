// The form with game, seats, names and options of the match to begin, and what is pointed
// out in a first match.

import { remember } from "../memory.js";
import { colours } from "../seats.js";
import {
  change, chosenGame, limits, optionOf, presetOf, presetsFound, seatsFor, state, strengthOf, withPreset,
} from "../store.js";
import { loadGames } from "./frames.js";
import { setting } from "./mine.js";
import { close, keep } from "./page.js";
import { tell } from "./server.js";

// point goes on to what is pointed out next; 0 ends that for good.
export function point({ to }) {
  if (!Number(to)) setting({ setting: "hints", checked: false });
  change({ tour: Number(to) });
}

const planned = patch => change({ plan: { ...state.plan, ...patch } });

// changing shows the options in the place of the players, or the players again.
export const changing = ({ on }) => planned({ changing: !!on });

// game chooses a game, with all options of a preset or with the defaults if one was chosen, and
// adds seats up to the number that it needs.
export function game({ game: name, preset: title = "" }) {
  planned({ game: name });
  const g = chosenGame(), seats = [...state.plan.seats], { first } = state.plan;
  if (title || presetOf(g)) planned(withPreset(g, title));
  const { min } = limits(g);
  for (const id of Object.keys(colours)) if (seats.length < min && !seats.includes(id)) seats.push(id);
  planned({ seats, first: first === "?" && !g.finds_first ? "" : first });
}

export const allPresets = () => planned({ all: true });

export function findPreset() {
  const g = state.games.find(g => presetsFound(g).length > 0);
  if (g) game({ game: g.name, preset: presetsFound(g)[0].name });
}

// place adds or removes a seat. A single one is replaced.
export function place({ place: seat }) {
  const g = chosenGame(), taken = seatsFor(g), others = taken.filter(id => id !== seat), { first } = state.plan;
  const seats = others.length < taken.length ? others : [...taken, seat].slice(-limits(g).max);
  planned({ seats, first: first === "?" || seats.includes(first) ? first : "" });
}

export function up({ up: seat }) {
  const seats = state.plan.seats.filter(id => id !== seat);
  seats.splice(state.plan.seats.indexOf(seat) - 1, 0, seat);
  planned({ seats });
}

// computer has the table play a seat, or a person.
export const computer = ({ of: seat }) =>
  keep({ keep: "plan.computer." + seat, value: state.plan.computer[seat] ? "" : "normal" });

export function named({ name: seat, value }) {
  keep({ keep: "plan.names." + seat, value });
  remember("names", JSON.stringify(state.plan.names));
}

// check adds a value to an option's list or removes it; the list keeps the
// game's order.
export function check({ check: name, value, checked }) {
  const g = chosenGame(), o = g.options.find(o => o.name === name);
  const on = optionOf(g, o).split(",").map(v => v.trim());
  const list = o.values.map(v => v.value).filter(v => v === value ? checked : on.includes(v));
  keep({ keep: `plan.options.${g.name} ${name}`, value: list.join(",") });
}

async function presets(body) {
  const done = await tell("/api/presets", body);
  if (done) await loadGames();
  return done;
}

export async function keepPreset() {
  const g = chosenGame(), { preset: title } = state.plan, { options } = setupOf(g, state.plan);
  if (!await presets({ do: "keep", game: g.name, title, options })) return;
  const kept = chosenGame().presets.find(p => p.own && p.title === title);
  planned({ preset: "", chosen: { ...state.plan.chosen, [g.name]: kept?.name } });
}

export const addPresets = async ({ file }) => file && presets({ do: "add", text: await file.text() });
export const removePreset = ({ name }) => presets({ do: "remove", game: chosenGame().name, name });

export async function begin() {
  if (state.plan.busy) return;
  planned({ busy: true });
  const done = await tell("/api/match", { do: "begin", setup: setupOf(chosenGame(), state.plan) });
  planned({ busy: false });
  if (!done) return;
  close();
  if (state.settings.hints) change({ tour: 1 });
}

function setupOf(g, plan) {
  const places = seatsFor(g), others = g.options.filter(o => optionOf(g, o) !== o.default);
  const first = plan.first === "?" ? places[Math.floor(Math.random() * places.length)] : plan.first;
  const lines = plan.pools.split("\n").map(l => l.trim().split(/\s+/)).filter(l => l.length > 1);
  const ready = places.filter(seat => g.pools.some(p => p.value === plan.pool[seat]));
  return {
    game: g.name, preset: presetOf(g)?.name, options: Object.fromEntries(others.map(o => [o.name, optionOf(g, o)])),
    ...(places.includes(first) && { first }),
    seats: places.map(seat => ({ seat, name: strengthOf(g, seat) ? "" : (plan.names[seat] || "").trim() })),
    computer: Object.fromEntries(places.map(seat => [seat, strengthOf(g, seat)]).filter(([, strength]) => strength)),
    pools: [
      ...lines.map(([seat, card, n]) => ({ seat, card, ...(n && { n: Number(n) || 1 }) })),
      ...ready.map(seat => ({ seat, card: plan.pool[seat] })),
    ],
  };
}
