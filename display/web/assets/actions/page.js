// Actions of the page alone: dialogs, language, colours, the keyboard.

import { recall, remember } from "../memory.js";
import { change, infoOf, state, unknownTag } from "../store.js";
import { connect } from "../stream.js";
import { languages, preferred } from "../words.js";
import { loadGames } from "./frames.js";
import { teachTag } from "./lesson.js";
import { restored } from "./mine.js";
import { get } from "./server.js";

// start restores what this browser remembers, and draws for the first time.
export function start() {
  change({
    ...preferred(), ...restored(),
    theme: new URLSearchParams(location.search).get("theme") || recall("theme") || "",
    shortcuts: recall("shortcuts") !== "off",
    hints: recall("hints") !== "seen",
    plan: { ...state.plan, names: JSON.parse(recall("names") || "{}") },
  });
}

// open opens a dialog. A dialog of cards keeps their texts, because the cards
// may leave the table while the user reads.
export function open({ open: name, seat, cards, heap }) {
  const plan = { ...state.plan, changing: false };
  change({ dialog: { name, seat, heap, cards: cards?.split(" ").map(infoOf) }, matches: null, plan });
  if (name === "learn") teachTag(unknownTag() ?? "");
  if (name === "matches") loadMatches();
}

// board opens all seats, on the own phone.
export const board = () => open({ open: "board" });

// close closes the open dialog, if any.
export function close() {
  if (state.dialog) change({ dialog: null });
}

async function loadMatches() {
  change({ matches: await get("/api/matches").catch(() => []) });
}

// dismiss closes the message about a refused input.
export const dismiss = ({ n }) => change({ dismissed: Number(n) });

// unfold opens the line of a folded seat for this match, or closes it again.
export function unfold({ seat }) {
  const { match } = state.live.view, seats = state.opened.match === match ? state.opened.seats : [];
  change({ opened: { match, seats: seats.includes(seat) ? seats.filter(s => s !== seat) : [...seats, seat] } });
}

// fit sets how many seats have room to be drawn in full.
export function fit(fits) {
  if (state.fits !== fits) change({ fits });
}

// shortcuts sets whether the keyboard presses the table's keys.
export function shortcuts({ checked }) {
  remember("shortcuts", checked ? "on" : "off");
  change({ shortcuts: checked });
}

// choose sets the language, for now and for the next visit.
export function choose({ lang }) {
  if (!languages.includes(lang)) return;
  remember("lang", lang);
  const here = new URL(location.href);
  here.searchParams.delete("lang");
  history.replaceState(null, "", here);
  change({ lang, requestedLang: lang });
  connect();
  loadGames();
}

// theme sets the colours: "light", "dark" or "" for the system's.
export function theme({ themeSet: name }) {
  remember("theme", name);
  change({ theme: name });
}
