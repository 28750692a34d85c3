// Requests to the table. Only stream.js fetches beside this file.

import { change, state } from "../store.js";
import { say } from "../words.js";

// get fetches JSON. It throws the table's error message.
export async function get(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error, { cause: answer.status });
  return said;
}

// rights fetches what this browser may do, for a page that has no stream, and whether it is
// that of a hall.
export const rights = () => get("/api/rights").catch(() => ({}));

export async function file(path, name) {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? new File([await answer.blob()], name, { type: answer.headers.get("Content-Type") }) : null;
}

// send posts JSON, or a file as it is. It resolves to { ok, text, status }: on success
// ok is true, otherwise the text says what went wrong.
export function send(path, body) {
  const file = body instanceof Blob;
  return ask(path + (file ? "&" : "?"), "POST", file ? {} : json, file ? body : JSON.stringify(body));
}

// put does the same for what replaces the version with a tag.
export const put = (path, body, tag) => ask(path + "?", "PUT", { ...json, "If-Match": tag }, JSON.stringify(body));

const json = { "Content-Type": "application/json" };

// A press on a dead connection would wait without end. The table answers within 15 s; a file
// takes as long as it takes.
const ANSWER = 20000;

async function ask(path, method, headers, body) {
  try {
    const signal = body instanceof Blob ? null : AbortSignal.timeout(ANSWER);
    const answer = await fetch(path + "lang=" + state.lang, { method, headers, body, signal });
    const said = await answer.json().catch(() => ({})), status = answer.status;
    if (answer.ok) return { ok: true, text: said.text, status, said };
    if (status === 401) return { text: say("page.may-not"), status };
    return { text: said.text || said.error || say("page.broken"), status, said };
  } catch {
    return { text: say("page.silent"), status: 0 }; // nothing is sent again by itself
  }
}

// tell posts a request whose result comes with the next frame, and resolves to
// whether it succeeded. An error that no frame shows becomes the page's own
// message until the next request.
export async function tell(path, body) {
  const said = await send(path, body);
  // A refusal is also in the frame, except that of some orders.
  const framed = said.status === 409 && (path !== "/api/match" || state.live?.status.receipt?.text === said.text);
  change({ trouble: said.ok || framed ? null : said.text });
  return said.ok === true;
}
