// What this browser remembers from one visit to the next.

export function recall(key) {
  try { return localStorage.getItem("tableside." + key); } catch { return null; }
}

export function remember(key, value) {
  try { localStorage.setItem("tableside." + key, value); } catch { /* a private window */ }
}
