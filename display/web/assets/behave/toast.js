// A refusal lies over the banner for a while.

import { dismiss } from "../actions/page.js";

const shown = 7000; // milliseconds

let timer, timed = null; // the timer, and the receipt that it is for

// follow starts the timer of a new refusal. One that offers a button stays, and
// so does one that the pointer is on.
export function follow() {
  const toast = document.querySelector(".receipt"), k = toast?.dataset.k ?? null;
  if (k === timed) return;
  timed = k;
  clearTimeout(timer);
  if (toast && !toast.querySelector("button")) timer = setTimeout(() => end(toast), shown);
}

function end(toast) {
  if (!toast.isConnected) return;
  if (toast.matches(":hover")) timer = setTimeout(() => end(toast), 1000);
  else dismiss(toast.dataset);
}
