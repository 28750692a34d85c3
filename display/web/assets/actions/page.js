// What concerns the page alone: dialogs, language, colours, the keyboard.

import { recall, remember } from "../memory.js";
import { change, state, told, unknownTag } from "../store.js";
import { connect } from "../stream.js";
import { languages, preferred } from "../words.js";
import { loadGames } from "./frames.js";
import { teachTag } from "./lesson.js";
import { get } from "./server.js";

// start takes over what this browser remembers, and draws for the first time.
export function start() {
  change({
    ...preferred(),
    theme: new URLSearchParams(location.search).get("theme") || recall("theme") || "",
    shortcuts: recall("shortcuts") !== "off",
    lastGame: recall("game"),
    plan: { ...state.plan, names: JSON.parse(recall("names") || "{}") },
  });
}

// open opens a dialog. One that shows cards keeps their texts: the cards may
// leave the table while they are read.
export function open({ open: name, seat, cards, heap }) {
  change({ dialog: { name, seat, heap, told: cards?.split(" ").map(told) }, matches: null });
  if (name === "learn") teachTag(unknownTag() ?? "");
  if (name === "matches") loadMatches();
}

// close closes whatever dialog is open.
export function close() {
  if (state.dialog) change({ dialog: null });
}

async function loadMatches() {
  change({ matches: await get("/api/matches").catch(() => []) });
}

// shortcuts notes whether the keyboard presses the table's keys.
export function shortcuts({ checked }) {
  remember("shortcuts", checked ? "on" : "off");
  change({ shortcuts: checked });
}

// choose chooses the language, from now on and for the next visit.
export function choose({ lang }) {
  if (!languages.includes(lang)) return;
  remember("lang", lang);
  const here = new URL(location.href);
  here.searchParams.delete("lang");
  history.replaceState(null, "", here);
  change({ lang, wish: lang });
  connect();
  loadGames();
}

// theme chooses the colours: "light", "dark" or "" for the system's.
export function theme({ themeSet: name }) {
  remember("theme", name);
  change({ theme: name });
}
