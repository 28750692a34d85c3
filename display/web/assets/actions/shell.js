// Actions of the line above the pages.

import { remember } from "../memory.js";
import { change } from "../store.js";
import { stream } from "../stream.js";
import { rights } from "./server.js";
import { lost, still } from "./watch.js";

// followTable tells whose the page is, and follows the match of a table. It returns what this browser may do.
export async function followTable(handlers = { frame: still, lost }) {
  const granted = await rights();
  change({ ofHall: Boolean(granted.hall), bare: granted.hall && !granted.past });
  if (granted.hall === false) stream(handlers); // of a page over plain HTTP nobody knows
  return granted;
}

// choose keeps a language or theme. A language loads the page anew: many texts on it come from the server.
export function choose({ remember: what, value }) {
  remember(what, value);
  const here = new URL(location.href);
  here.searchParams.delete(what);
  if (what === "theme") {
    history.replaceState(history.state, "", here);
    return change({ theme: value });
  }
  // The reason on a page that could not be shown is in the language of its address.
  if (what === "lang" && document.querySelector("[data-kind]")) here.searchParams.set(what, value);
  history.replaceState(history.state, "", here);
  location.reload();
}
