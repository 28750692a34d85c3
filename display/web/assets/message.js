// The page in place of one that cannot be shown. The table has put the reason into it.

import { followTable } from "./actions/shell.js";
import { start } from "./actions/watch.js";
import { recall } from "./memory.js";
import { page } from "./page.js";
import { message, titleOf } from "./parts/message.js";

const { textContent: why, dataset: { kind } } = document.getElementById("page");

// The table wrote the reason in its own language, or in that of the address.
const lang = recall("lang"), address = new URL(location.href);
if (lang && lang !== document.documentElement.lang && !address.searchParams.has("lang")) {
  address.searchParams.set("lang", lang);
  location.replace(address);
}

page(() => titleOf(kind), state => message(state, kind, why, location));
start();
followTable();
