// The first visit: hints, and a match that plays itself.

import { remember } from "../memory.js";
import { change } from "../store.js";
import { close } from "./page.js";
import { tell } from "./server.js";

// watch starts or stops the match that plays itself.
export function watch({ do: what }) {
  close();
  return tell("/api/show", { do: what });
}

// seen puts the hints away for good.
export function seen() {
  remember("hints", "seen");
  change({ hints: false });
}
