// Actions of the page with all players. state.people holds them, the statistics, the
// titles of the games, and what is sought.

import { address, addressed } from "../address.js";
import { change, state } from "../store.js";
import { say } from "../words.js";
import { get, send } from "./server.js";
import * as watch from "./watch.js";

const put = patch => change({ people: { ...state.people, ...patch } });

function load() {
  const lang = "?lang=" + (state.requestedLang || state.lang);
  return Promise.all(["players", "stats", "games"].map(of => get("/api/" + of + lang)))
    .then(([list, stats, games]) => put({ list, stats, games }))
    .catch(e => put({ trouble: e.cause ? e.message : say("page.away") }));
}

export function start(granted) {
  const sought = addressed("player", "game", "text");
  const people = { list: null, stats: null, games: [], sought, trouble: "", said: "", keep: false, removal: null };
  watch.start({ people });
  granted.then(({ keep }) => {
    put({ keep });
    if (keep) follow(); // a removal that was begun elsewhere
  });
  return load();
}

// seek shows the players with a text in the name, how they did in a game, or one player. The
// address keeps it.
export function seek({ by, value }) {
  address({ [by]: value });
  put({ sought: { ...state.people.sought, [by]: value } });
}

async function tell(body, done, player) {
  const said = await send("/api/history", body);
  put(said.ok ? { trouble: "", said: done } : { trouble: said.text, said: "" });
  if (said.ok) await load();
  if (said.ok) seek({ by: "player", value: player });
  change({ focus: { on: ".said" } });
}

export const rename = ({ name, to }) => tell({ do: "rename", name, to }, say("players.renamed", { name: to }), to);
export const separate = ({ name }) => tell({ do: "separate", name }, say("players.separated", { name }), name);
export function remove({ name }) {
  setTimeout(follow, 500); // most removals are done by then
  return tell({ do: "remove", name }, say("players.removed", { name }), "");
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
  // The removal may outlast its answer. It may also have been stopped.
  if (removal || !before || state.people.list?.some(p => p.name === before.name)) return;
  if (state.people.trouble) put({ trouble: "", said: say("players.removed", { name: before.name }) });
  if (state.people.sought.player === before.name) seek({ by: "player", value: "" });
}
