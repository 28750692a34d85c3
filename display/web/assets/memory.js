// What this browser remembers from one visit to the next.

export function recall(key) {
  try { return localStorage.getItem("tableside." + key); } catch { return null; }
}

// address keeps in the page's address what is sought or shown on it, by name; "" and 0 are left out.
export function address(values) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  history.replaceState(history.state, "", "?" + query);
}

export function remember(key, value) {
  try { localStorage.setItem("tableside." + key, value); } catch { /* a private window */ }
}
