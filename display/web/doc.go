// Package web shows a table in browsers. It serves the page that players open at the table,
// the overlay for a video stream, and the HTTP interface for scripts.
//
// Everybody who can reach the address may read. Two things need the token or a connection from
// this machine (a loopback peer): writing, and seeing the hidden cards of a simulated table.
// Cross-site requests are refused.
//
// A [Server] is an output like the panel and the lights. The table passes each frame to
// [Server.Show], which never waits for a browser.
//
// The routes are listed in Server.routes. README.md says which room has what, and docs/http.md what
// a route does and who may use it. The JSON Schema of the View is view.schema.json, which is served
// at /api/schema.
package web
