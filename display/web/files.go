package web

import (
	"embed"
	"sync"

	"tableside/display/web/core"
	"tableside/display/web/past"
	"tableside/engine"
)

//go:embed assets cards/page hall/page past/page setup/page stream/page
var assetFiles embed.FS

// assetFolders are the folders with the page side of the rooms.
var assetFolders = []string{"assets", "cards/page", "hall/page", "past/page", "setup/page", "stream/page"}

// sharedAssets returns the embedded files, which are the same for every server.
var sharedAssets = sync.OnceValue(func() *core.Assets { return core.NewAssets(assetFiles, assetFolders...) })

// Schema is the JSON Schema (draft 2020-12) of the View.
//
//go:embed view.schema.json
var Schema string

// ReplayPage returns a page that replays a match in any browser, without a server. The caller
// sets damaged if the match continued after the last line of the journal.
func ReplayPage(game engine.Game, j *engine.Journal, damaged bool, lang engine.Lang) ([]byte, error) {
	return past.ReplayPage(sharedAssets(), game, j, damaged, lang)
}
