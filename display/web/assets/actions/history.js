// Actions of the page with all matches. state.past holds them, what is sought, how many
// are shown, the deleted ones once they were asked for, and the match deleted last.

import { change, state } from "../store.js";
import { say } from "../words.js";
import { get, send } from "./server.js";
import * as watch from "./watch.js";

const PAGE = 100; // matches that are shown at first, and more with each click

const put = patch => change({ past: { ...state.past, ...patch } });

// start loads the matches.
export async function start() {
  const query = new URLSearchParams(location.search);
  const sought = Object.fromEntries(["player", "game", "text"].map(by => [by, query.get(by) ?? ""]));
  watch.start({ past: { matches: null, games: [], sought, most: PAGE, trouble: "", deleted: null, gone: "" } });
  try {
    const lang = state.requestedLang || state.lang;
    const [matches, games] = await Promise.all([get("/api/history"), get("/api/games?lang=" + lang)]);
    put({ matches, games });
  } catch (e) {
    put({ trouble: e.cause ? e.message : say("page.away") });
  }
}

// seek shows the matches of a game, with a player, or with a text. The address keeps it.
export function seek({ by, value }) {
  const sought = { ...state.past.sought, [by]: value }, query = new URLSearchParams(location.search);
  if (value) query.set(by, value);
  else query.delete(by);
  history.replaceState(null, "", "?" + query);
  put({ sought, most: PAGE });
}

// more shows further matches.
export const more = () => put({ most: state.past.most + PAGE });

// tell sends a change and loads the matches again, and the deleted ones if they are shown.
async function tell(body, gone = "") {
  const said = await send("/api/history", body);
  if (!said.ok) return put({ trouble: said.text });
  try {
    const matches = await get("/api/history");
    put({ matches, trouble: "", gone, deleted: state.past.deleted && await get("/api/history?deleted=1") });
  } catch {
    put({ trouble: say("page.away") });
  }
}

export const note = ({ match, text }) => tell({ do: "note", match, text });
export const remove = ({ match }) => tell({ do: "delete", match }, match);
export const restore = ({ match }) => tell({ do: "restore", match });

// deleted shows the matches that were deleted.
export async function deleted() {
  try {
    put({ deleted: await get("/api/history?deleted=1") });
  } catch (e) {
    put({ trouble: e.cause ? e.message : say("page.away") });
  }
}
