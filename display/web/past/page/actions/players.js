// Actions of the page with all players. state.people holds them, the statistics, the
// titles of the games, and what is sought.

import { change, state } from "../store.js";
import { say } from "../words.js";
import { get, rights, send } from "./server.js";
import * as watch from "./watch.js";

const put = patch => change({ people: { ...state.people, ...patch } });

async function load() {
  const lang = "?lang=" + (state.requestedLang || state.lang);
  try {
    const [list, stats, games] = await Promise.all(["players", "stats", "games"].map(of => get("/api/" + of + lang)));
    put({ list, stats, games });
  } catch (e) {
    put({ trouble: e.cause ? e.message : say("page.away") });
  }
}

// start loads the players.
export function start() {
  const sought = new URLSearchParams(location.search).get("player") ?? "";
  const people = { list: null, stats: null, games: [], sought, trouble: "",
    said: "", keep: false, hall: false, removal: null };
  watch.start({ people });
  rights().then(({ keep, hall }) => {
    put({ keep, hall });
    if (keep) follow(); // a removal that was begun elsewhere
  });
  return load();
}

// seek shows the players whose name has a text.
export function seek({ value }) {
  history.replaceState(null, "", value ? "?player=" + encodeURIComponent(value) : location.pathname);
  put({ sought: value });
}

// tell sends a change and loads the players again.
async function tell(body, done) {
  const said = await send("/api/history", body);
  put(said.ok ? { trouble: "", said: done } : { trouble: said.text, said: "" });
  if (said.ok) await load();
  change({ focus: { on: ".said" } });
}

export const rename = ({ name, to }) => tell({ do: "rename", name, to }, say("players.renamed", { name: to }));
export const separate = ({ name }) => tell({ do: "separate", name }, say("players.separated", { name }));
export function remove({ name }) {
  setTimeout(follow, 500); // most removals are done by then
  return tell({ do: "remove", name }, say("players.removed", { name }));
}
export const stop = () => send("/api/history", { do: "stop" });

// follow shows how far a removal is, as long as there is one.
async function follow() {
  const before = state.people.removal, removal = await get("/api/removal").catch(() => null);
  put({ removal });
  // The button that was pressed is far below what it began.
  if (removal?.all > 0 && !before?.all) change({ focus: { on: ".removing" } });
  if (removal) setTimeout(follow, 1000);
  else if (before) await load();
}
