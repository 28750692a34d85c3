// Actions of the page with all matches. state.past holds them, what is sought, and how
// many are shown.

import { change, state } from "../store.js";
import { say } from "../words.js";
import { get } from "./server.js";
import * as watch from "./watch.js";

const PAGE = 100; // matches that are shown at first, and more with each click

const put = patch => change({ past: { ...state.past, ...patch } });

// start loads the matches.
export async function start() {
  const query = new URLSearchParams(location.search);
  const sought = { player: query.get("player") ?? "", game: query.get("game") ?? "" };
  watch.start({ past: { matches: null, games: [], sought, most: PAGE, trouble: "" } });
  try {
    const lang = state.requestedLang || state.lang;
    const [matches, games] = await Promise.all([get("/api/history"), get("/api/games?lang=" + lang)]);
    put({ matches, games });
  } catch (e) {
    put({ trouble: e.cause ? e.message : say("page.away") });
  }
}

// seek shows the matches of a game, or with a player. The address keeps it.
export function seek({ by, value }) {
  const sought = { ...state.past.sought, [by]: value }, query = new URLSearchParams(location.search);
  if (value) query.set(by, value);
  else query.delete(by);
  history.replaceState(null, "", "?" + query);
  put({ sought, most: PAGE });
}

// more shows further matches.
export const more = () => put({ most: state.past.most + PAGE });
