// The page on which the table's readers, keys and screens are set up. It asks the table
// once a second: what is plugged in is no part of the stream.

import { start } from "./actions/wiring.js";
import { followTable } from "./actions/shell.js";
import { listen } from "./behave/wiring.js";
import { page } from "./page.js";
import { wiring } from "./parts/wiring.js";
import { say } from "./words.js";

page(() => say("setup.title"), wiring);
listen();
start();
followTable();
