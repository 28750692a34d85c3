// The page in place of one that cannot be shown. The table has put the reason into it.

import { followTable } from "./actions/shell.js";
import { start } from "./actions/watch.js";
import { page } from "./page.js";
import { message, titleOf } from "./parts/message.js";

const { textContent: why, dataset: { kind } } = document.getElementById("page");

page(() => titleOf(kind), state => message(state, kind, why, location));
start();
followTable();
