// The match that waits to be continued.

import { change, state } from "../store.js";
import { get } from "./server.js";

// loadWaiting fetches how the match stands that the table asks about, unless it is
// known. In another language its counter has another name.
export async function loadWaiting() {
  const id = state.live.status.continue, { lang, waiting } = state;
  if (!id || waiting?.id === id && waiting.lang === lang) return;
  try {
    const found = (await get("/api/matches?lang=" + lang)).find(m => m.id === id);
    if (found && state.live.status.continue === id) change({ waiting: { ...found, lang } });
  } catch { /* the next frame asks again */ }
}
