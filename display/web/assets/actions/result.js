// The result of a match, and its picture.

import { change, state } from "../store.js";
import { file, get } from "./server.js";

// noticeEnd loads the result when the match has ended, and again after a correction.
export async function noticeEnd({ match, seq, winners }) {
  const { lang, result } = state;
  if (!winners.length || result?.match === match && result.seq === seq && result.lang === lang) return;
  try {
    const loaded = await get("/api/result?lang=" + lang), now = state.live.view;
    if (now.match === match && now.seq === seq && loaded.match === match) change({ result: { ...loaded, lang, seq } });
  } catch { /* the log has it, too */ }
}

// share hands the picture of the result to the phone's own dialog where the
// browser may, and otherwise saves it.
export async function share() {
  const { match } = state.live.view, name = `tableside-${match}.png`;
  const picture = await file("/result.png?lang=" + state.lang, name);
  if (!picture) return;
  if (navigator.canShare?.({ files: [picture] })) {
    await navigator.share({ files: [picture] }).catch(() => {}); // the user changed their mind
    return;
  }
  const href = URL.createObjectURL(picture);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
