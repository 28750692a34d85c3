// Talking to the table. No other file fetches.

import { change, state } from "../store.js";
import { say } from "../words.js";

// get fetches what the table knows.
export async function get(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error, { cause: answer.status });
  return said;
}

// send posts to the table. It resolves to what the table said, with ok where
// it did what was asked, and else with what went wrong as the text.
export async function send(path, body) {
  try {
    const answer = await fetch(path + "?lang=" + state.lang, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    const said = await answer.json().catch(() => ({})), status = answer.status;
    if (answer.ok) return { ok: true, text: said.text, status };
    if (status === 401 || status === 403) return { text: say("page.may-not"), status };
    return { text: said.text || said.error || say("page.broken"), status };
  } catch {
    return { text: say("page.away"), status: 0 };
  }
}

// tell sends something of which the next frame says what came of it. What the
// page must say itself stays until the next time. It reports whether it was done.
export async function tell(path, body) {
  const said = await send(path, body);
  // A refusal is in the frame, too, unless it came of what no frame tells.
  const framed = said.status === 409 && (path !== "/api/match" || state.live?.status.receipt?.text === said.text);
  change({ trouble: said.ok || framed ? null : said.text });
  return said.ok === true;
}
