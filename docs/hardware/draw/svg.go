package main

// seats maps each seat to the colour and the shape that it has on the table page.
var seats = map[string]*struct{ Colour, Shape string }{
	"red":    {"#d7263d", "M12 1 23 12 12 23 1 12Z"},
	"blue":   {"#1b6ec2", "M12 1.500a10.500 10.500 0 1 1 0 21a10.500 10.500 0 1 1 0-21Z"},
	"yellow": {"#f2b705", "M12 1.500 23.500 22 .5 22Z"},
	"green":  {"#1a936f", "M2.500 2.500h19v19h-19Z"},
}

// icons holds the SVG elements of each kind of part, 20 pixels high and about as wide.
var icons = map[string]string{
	"reader":    `<g fill="none" stroke="#d2ff3c" stroke-width="2" stroke-linecap="round"><path d="M6 6.500a5 5 0 0 0 0 7M3 3.500a9.200 9.200 0 0 0 0 13M14 6.500a5 5 0 0 1 0 7M17 3.500a9.200 9.200 0 0 1 0 13"/></g><circle cx="10" cy="10" r="2.200" fill="#d2ff3c"/>`,
	"panel":     `<rect x="0" y="3" width="20" height="14" rx="1.500" fill="#faf8f1"/><path d="M3 7h7M3 10h4" stroke="#14161d" stroke-width="1.600"/><path d="M12 14V9h2v5zM15 14V6h2v8z" fill="#14161d"/>`,
	"lights":    `<rect x="-1" y="5" width="22" height="10" rx="5" fill="#0d0f15"/><circle cx="4" cy="10" r="2.600" fill="#d7263d"/><circle cx="10" cy="10" r="2.600" fill="#1b6ec2"/><circle cx="16" cy="10" r="2.600" fill="#f2b705"/>`,
	"keys":      `<rect x="1" y="2" width="18" height="16" rx="4" fill="#202636" stroke="#f5f2e9" stroke-width="1.600"/><path d="m6 10 3 3 5-6" fill="none" stroke="#f5f2e9" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`,
	"knob":      `<circle cx="10" cy="10" r="8.500" fill="#202636" stroke="#f5f2e9" stroke-width="1.600"/><path d="M10 10 14.500 5.500" stroke="#d2ff3c" stroke-width="2.400" stroke-linecap="round"/>`,
	"supply":    `<path d="M11.500 1 3.500 11.500h5L7 19l9-11h-5.500z" fill="#ffd84d"/>`,
	"regulator": `<path d="M11.500 1 3.500 11.500h5L7 19l9-11h-5.500z" fill="#ffd84d"/>`,
}

// picture is the template of a drawing, with the sizes of the grid. A length with the sign of a side
// leads from the header outwards.
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" height="{{.Height}}" role="img" aria-label="Wiring: {{.Title}}, {{.Board}}">
<!-- Made by docs/hardware/draw from docs/examples/{{.File}}.toml: change those. -->
<style>
text { font: 400 13px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; fill: #f5f2e9 }
.d, .free .n, .taken text { fill: #aab1c2 }
.h { font: 700 16px "Avenir Next Condensed", "Roboto Condensed", "Archivo Narrow", "Arial Narrow", "Liberation Sans Narrow", "Helvetica Neue", Arial, sans-serif }
.t { font-size: 21px; font-weight: 800; letter-spacing: .02em; fill: #10130a }
.b, .wired text { font-weight: 700 }
.s, .taken text { font-size: 12px }
.e, .left .near, .right .far { text-anchor: end }
.m { text-anchor: middle }
.w { fill: none; stroke: currentColor; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
.o { fill: none; stroke: #0d0f15; stroke-width: 7; stroke-linejoin: round }
.box { fill: #161a24; stroke: #343c50 }
.dot { fill: currentColor; stroke: #0d0f15; stroke-width: 1.5 }
.free text { fill: #6c7690 }
.taken .label { fill: none; stroke: #4b556d; stroke-dasharray: 3 3 }
.wired .label { fill: currentColor; fill-opacity: .16; stroke: currentColor; stroke-width: 1.2 }
.wired .n { fill: #10130a }
.pin .n { font-size: 10px; font-weight: 700; text-anchor: middle }
</style>
<rect width="{{.Width}}" height="{{.Height}}" rx="14" fill="#0d0f15"/>
<path d="M31 20h{{add .TitleWidth 34}}l-7 34h-{{add .TitleWidth 34}}z" fill="#d2ff3c"/>
<text class="h t" x="44" y="44.5" textLength="{{.TitleWidth}}" lengthAdjust="spacingAndGlyphs">{{.Title | upper}}</text>
<text class="d" x="{{add .TitleWidth 78}}" y="42">examples/{{.File}}.toml</text>
<text class="h e" x="{{add .Width -24}}" y="42">TABLE<tspan fill="#d2ff3c">/</tspan>SIDE</text>
<g transform="translate({{.Middle}} 0)"><rect class="box" x="-26" y="88" width="52" height="488" rx="7"/>
<text class="h m" y="74">{{.Board}}</text>
<text class="m d" y="{{.RemarkY}}">Seen from above: pin 1 is square,</text>
<text class="m d" y="{{add .RemarkY 19}}">and at the end of the SD card.</text>
<text class="m d" y="{{add .RemarkY 38}}">Any GND is as good as another.</text>
{{range .Parts}}{{with .Remark}}<text class="m d" y="{{add $.RemarkY 57}}">{{.}}</text>{{end}}{{end}}</g>
{{range .Wires}}<g color="{{.Colour}}"><path class="o" d="{{.Path}}"/><path class="w" d="{{.Path}}"/>
{{$x := .X}}{{range .Dots}}<circle cx="{{$x}}" cy="{{.}}" r="4" fill="currentColor"/>{{end}}</g>
{{end}}{{range .Pins}}<g class="pin {{.Class}} {{.Side}}" transform="translate({{add $.Middle .X}} {{.Y}})" color="{{.Colour}}">
{{if ne .Class "free"}}<rect class="label" transform="scale({{.Side.Sign}}1 1)" x="15" y="-9" width="104" height="18" rx="4"/>{{end}}
<text class="near" x="{{.Side.Sign}}24" y="4.5">{{.Name}}{{if eq .Class "taken"}} kernel{{end}}</text>
<rect class="dot" x="-9" y="-9" width="18" height="18" rx="{{if eq .Number 1}}2.5{{else}}9{{end}}"/>
<text class="n" y="3.5">{{.Number}}</text></g>
{{end}}{{range .Parts}}<g class="{{.Side}}" transform="translate({{.X}} {{.Y}})">
<rect class="box" transform="scale({{.Side.Sign}}1 1)" width="232" height="{{.Height}}" rx="9"/>
<g transform="translate({{if .Side}}14{{else}}-218{{end}} 0)"><g transform="translate(0 13)">{{.Icon}}</g>
{{with .Seat}}<path transform="translate(29 9) scale(.55)" fill="{{.Colour}}" d="{{.Shape}}"/>{{end}}
<text class="h" x="{{if .Seat}}48{{else}}29{{end}}" y="21">{{.Title}}</text><text class="d s" x="29" y="37.5">{{.Subtitle}}</text></g>
{{$side := .Side}}{{range .Rows}}<g transform="translate(0 {{.Y}})"{{if .Wire}} color="{{.Wire.Colour}}"><circle class="dot" r="5.5"/>
{{if .Shifted}}<path class="dot" transform="scale({{$side.Sign}}1 1)" d="M-23.4 -7v14l13 -7z"/>{{end}}
<text class="near b" x="{{$side.Sign}}15" y="4.5">{{.Label}}</text><text class="far d s" x="{{$side.Sign}}218" y="4.5">{{if .Shifted}}74AHCT125 · {{end}}{{if eq (printf "%.4s" .Net) "GPIO"}}{{.Net}}{{else if .Wire.Pin}}pin {{.Wire.Pin}}{{end}}</text></g>
{{else}}><text class="near d" x="{{$side.Sign}}15" y="4.5">{{.Label}} · not wired</text></g>
{{end}}{{end}}</g>
{{end}}<path d="M24 {{.LegendY}}H{{add .Width -24}}" stroke="#343c50"/>
{{range $i, $r := .Legend}}<g transform="translate({{$.LegendX $i}} {{$.LegendRow $i}})"><path class="w" color="{{.Colour}}"{{if not .Word}} stroke-dasharray="3 5"{{end}} d="M2 -4.5h18"/><text class="d" x="27">{{.Name}}</text></g>
{{end}}</svg>
`

// table lists every wire in words, with a line for each connector of a part.
const table = `| part | its connector | to | pin of the header |
| --- | --- | --- | --- |
{{range $part := .Parts}}{{range $i, $row := .Rows -}}
| {{if not $i}}{{$part.Title}}{{with $part.Whose}} {{.}}{{end}}{{end}} | {{.Label}} | {{if .Shifted}}74AHCT125, then {{end}}{{or .Net "nothing"}} | {{if and .Wire .Wire.Pin}}{{.Wire.Pin}}{{end}} |
{{end}}{{end}}`
