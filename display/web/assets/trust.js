// The page about the table's own certificate. It needs no stream: phones read it
// over plain HTTP, where nothing else answers.

import { start } from "./actions/watch.js";
import { page } from "./page.js";
import { trust } from "./parts/trust.js";
import { say } from "./words.js";

page(() => say("trust.title"), () => trust(location.host, document.body.dataset.fingerprint));
start();
