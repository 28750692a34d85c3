// What a page's address says is sought or shown on it.

export function addressed(...names) {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(names.map(name => [name, query.get(name) ?? ""]));
}

// address keeps it there, by name; "" and 0 are left out.
export function address(values) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  history.replaceState(history.state, "", "?" + query);
}
