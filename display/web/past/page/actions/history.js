// Actions of the page with all matches. state.past holds them, what is sought, how many
// are shown, the deleted ones once they were asked for (bin), the match deleted last, and what a
// file of plays holds (found).

import { address, addressed } from "../address.js";
import { change, state } from "../store.js";
import { say } from "../words.js";
import { get, send } from "./server.js";
import * as watch from "./watch.js";

const PAGE = 100; // matches that are shown at first, and more with each click

const put = patch => change({ past: { ...state.past, ...patch } });
const failed = e => put({ trouble: e.cause ? e.message : say("page.away") });

const lang = () => "?lang=" + (state.requestedLang || state.lang), all = () => "/api/history" + lang();

export function start(granted) {
  const sought = addressed("player", "game", "text");
  watch.start({
    past: {
      matches: null, games: [], sought, most: PAGE, trouble: "", deleted: null, bin: false, gone: "", keep: false,
      found: null,
    },
  });
  Promise.all([get(all()), get("/api/games" + lang()), granted])
    .then(([matches, games, { keep }]) => put({ matches, games, keep })).catch(failed);
}

// seek shows the matches of a game, with a player, or with a text; without any of these, all.
// The address keeps it.
export function seek({ by, value }) {
  const sought = by ? { ...state.past.sought, [by]: value } : { player: "", game: "", text: "" };
  address(sought);
  put({ sought, most: PAGE });
}

// more shows further matches.
export const more = () => put({ most: state.past.most + PAGE });

let loads = 0; // how often the matches were loaded

// load loads the matches again, and the deleted ones if they are shown. What was asked for
// last counts.
function load() {
  const n = ++loads, { bin, deleted: before } = state.past;
  return Promise.all([get(all()), bin ? get(all() + "&deleted=1") : before])
    .then(([matches, deleted]) => n === loads && put({ matches, deleted, trouble: "" }))
    .catch(e => n === loads && failed(e));
}

async function tell(body, patch, on) {
  const said = await send("/api/history", body);
  put(said.ok ? { trouble: "", ...patch() } : { trouble: said.text });
  if (said.ok) await load();
  if (on || !said.ok) change({ focus: { on: said.ok ? on : ".said" } });
}

export const note = ({ match, text }) => tell({ do: "note", match, text }, () => ({}));
export const remove = ({ match }) => tell({ do: "delete", match }, () => ({ gone: match }), ".gone button");
export const restore = ({ match }) => tell({ do: "restore", match },
  () => state.past.gone === match ? { gone: "" } : {}, `[data-k="${match}"] > a`);

let file = null; // the file of plays that was chosen

// read tells what a file of plays holds; take adds it, and forget takes an import out again.
export async function read({ file: chosen }) {
  if (!(file = chosen)) return;
  const said = await send("/api/history/import?", file);
  put(said.ok ? { trouble: "", found: said.said } : { trouble: said.text, found: null });
  change({ focus: { on: said.ok ? ".found h2" : ".said" } });
}
export async function take() {
  const said = await send("/api/history/import?keep", file);
  put(said.ok ? { trouble: "", found: null } : { trouble: said.text });
  if (said.ok) await load();
}
export const leave = () => put({ found: null });
export const forget = ({ match }) => tell({ do: "forget", match }, () => ({}), "h1");

// resume goes on with a match at the table, which asks if only a part of it can be read.
export async function resume({ match }) {
  const said = await send("/api/match", { do: "resume", match });
  if (said.ok || said.said?.override) return location.assign("/");
  put({ trouble: said.text });
  change({ focus: { on: ".said" } });
}

// deleted shows the matches that were deleted, or the others again.
export function deleted() {
  put({ bin: !state.past.bin, most: PAGE });
  return load();
}
