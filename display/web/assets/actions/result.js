// The result of a match, and its picture.

import { change, state } from "../store.js";
import { file, get } from "./server.js";

// noticeEnd loads the result when the match has ended.
export async function noticeEnd(before, { match, winners }) {
  const { lang, result } = state, ended = before?.match === match && before.winners.length > 0;
  if (!winners.length || ended && result?.match === match && result.lang === lang) return;
  try {
    const loaded = await get("/api/result?lang=" + lang);
    if (state.live.view.match === match && loaded.match === match) change({ result: { ...loaded, lang } });
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
