// The page about the table's own certificate. Phones read it over plain HTTP, where nothing else
// answers: then it follows no match.

import { followTable } from "./actions/shell.js";
import { start } from "./actions/watch.js";
import { page } from "./page.js";
import { titleOf, trust } from "./parts/trust.js";

const { fingerprint } = document.body.dataset;

page(() => titleOf(fingerprint), () => trust(location, fingerprint));
start();
if (!fingerprint || location.protocol === "https:") followTable();
