// Package web shows a table in browsers. It serves the page that players open at the table,
// the overlay for a video stream, and the HTTP interface for scripts.
//
// Reading is open to everybody who can reach the address. Writing, and seeing the hidden cards
// of a simulated table, needs the token or a connection from this machine (a loopback peer).
// Cross-site requests are refused.
//
// A [Server] is an output like the panel and the lights: [Server.Show] gives it a frame and
// never waits for a browser.
//
// The routes are listed in api.go, in Server.routes, and in past.go. README.md documents the
// overlay's parameters, the live stream and who may write; view.schema.json is the JSON Schema
// of the View, served at /api/schema.
package web
