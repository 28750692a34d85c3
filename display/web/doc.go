// Package web shows a table in browsers: the page that friends open around
// the table, the overlay for a stream, and the HTTP interface that scripts
// use.
//
// Reading is open to whoever reaches the address. Writing, and seeing the
// hidden cards of a simulated table, needs a loopback peer or the token; a
// request that another site makes a browser send is refused.
//
// A [Server] is an output like panel and lights: [Server.Show] hands it a
// frame and never waits for a browser.
//
// The routes are listed in [Server.Handler]'s table in api.go. README.md
// documents the overlay's parameters, the live stream and who may write;
// view.schema.json is the JSON Schema of the View, served at /api/schema.
package web
