// Actions of the page alone: dialogs, language, colours, the keyboard.

import { recall, remember } from "../memory.js";
import { change, state, unknownTag } from "../store.js";
import { connect } from "../stream.js";
import { languages, preferred } from "../words.js";
import { loadGames, picture } from "./frames.js";
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

// open opens a dialog.
export function open({ open: name, seat }) {
  change({ dialog: { name, seat }, matches: null, plan: { ...state.plan, changing: false } });
  if (name === "learn") teachTag(unknownTag() ?? "");
  if (name === "matches") loadMatches();
}

// board opens all seats, on the own phone.
export const board = () => open({ open: "board" });

// rounds shows a score sheet by rounds, or its seats.
export const rounds = ({ on }) => change({ rounds: on === "true" });

// close closes the open dialog, if any.
export function close() {
  if (state.dialog) change({ dialog: null });
}

async function loadMatches() {
  change({ matches: await get("/api/matches").catch(() => []) });
}

// sheet opens a pile, the log or many answers over the arena; look shows a card at full size.
export const sheet = ({ sheet: what }) => change({ sheet: what, shut: null, dialog: null });
export const look = zoom => change({ zoom });
export const only = ({ seat }) => change({ only: seat });
export const narrow = is => change({ narrow: is });

// shut closes what lies over the arena.
export const shut = () => change({ sheet: "", zoom: null, shut: state.live.view.seq });

// drawer opens or closes the simulated hardware. Its picture is only fetched while it is open.
export function drawer() {
  change({ drawer: !state.drawer, sheet: "" });
  if (state.drawer) picture("panel");
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
