// The moments of a match: the end of a round, and the end of the match.

import { change, state } from "../store.js";
import { file, get } from "./server.js";

// noticeMoments loads the result when a round or the match has ended, and shows
// it. Undo takes it away.
export function noticeMoments(before, view) {
  const { match } = view, over = view.winners.length > 0, was = before?.match === match ? before : null;
  if (!was) change({ result: null, moment: null });
  if (!over && state.moment?.name === "end") change({ moment: null });
  if (state.moment?.name === "round" && was && view.seq !== was.seq) change({ moment: null }); // somebody acts
  if (over && !was?.winners.length) load(match, { name: "end" });
  else if (over && state.result?.lang !== state.lang) load(match, state.moment);
  else if (was && view.round > was.round) load(match, { name: "round", round: was.round });
}

async function load(match, moment) {
  try {
    const { lang } = state, result = await get("/api/result?lang=" + lang);
    if (state.live.view.match === match && result.match === match) change({ result: { ...result, lang }, moment });
  } catch { /* the log has it, too */ }
}

// closeMoment takes the card away, showResult brings that of the match back.
export const closeMoment = () => change({ moment: null });
export const showResult = () => change({ moment: { name: "end" } });

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
