new EventSource("/api/live").addEventListener("frame", e => document.getElementById("v").textContent = JSON.stringify(JSON.parse(e.data), null, 1));
