package main

// seats maps each seat to the colour and the shape that it has on the table page.
var seats = map[string]struct{ colour, shape string }{
	"red":    {"#d7263d", "M12 1 23 12 12 23 1 12Z"},
	"blue":   {"#1b6ec2", "M12 1.500a10.500 10.500 0 1 1 0 21a10.500 10.500 0 1 1 0-21Z"},
	"yellow": {"#f2b705", "M12 1.500 23.500 22 .5 22Z"},
	"green":  {"#1a936f", "M2.500 2.500h19v19h-19Z"},
}

// icons holds the SVG elements of each kind of icon. Every icon is 20 pixels high and about as
// wide.
var icons = map[string]string{
	"reader": `<g fill="none" stroke="#d2ff3c" stroke-width="2" stroke-linecap="round"><path d="M6 6.500a5 5 0 0 0 0 7M3 3.500a9.200 9.200 0 0 0 0 13M14 6.500a5 5 0 0 1 0 7M17 3.500a9.200 9.200 0 0 1 0 13"/></g><circle cx="10" cy="10" r="2.200" fill="#d2ff3c"/>`,
	"panel":  `<rect x="0" y="3" width="20" height="14" rx="1.500" fill="#faf8f1"/><path d="M3 7h7M3 10h4" stroke="#14161d" stroke-width="1.600"/><path d="M12 14V9h2v5zM15 14V6h2v8z" fill="#14161d"/>`,
	"lights": `<rect x="-1" y="5" width="22" height="10" rx="5" fill="#0d0f15"/><circle cx="4" cy="10" r="2.600" fill="#d7263d"/><circle cx="10" cy="10" r="2.600" fill="#1b6ec2"/><circle cx="16" cy="10" r="2.600" fill="#f2b705"/>`,
	"keys":   `<rect x="1" y="2" width="18" height="16" rx="4" fill="#202636" stroke="#f5f2e9" stroke-width="1.600"/><path d="m6 10 3 3 5-6" fill="none" stroke="#f5f2e9" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`,
	"knob":   `<circle cx="10" cy="10" r="8.500" fill="#202636" stroke="#f5f2e9" stroke-width="1.600"/><path d="M10 10 14.500 5.500" stroke="#d2ff3c" stroke-width="2.400" stroke-linecap="round"/>`,
	"supply": `<path d="M11.500 1 3.500 11.500h5L7 19l9-11h-5.500z" fill="#ffd84d"/>`,
}
