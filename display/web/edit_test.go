package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// entered is a JavaScript expression that presses the editor's button of a name, or gives the
// field with that label a value, as a user would.
const entered = `(() => {
	const of = (kind, name) => [...document.querySelectorAll(kind)].find(e => name(e).trim() === %q);
	const button = of("#page button", e => e.innerText || e.title);
	if (button) return button.click() ?? "";
	const field = of("label", e => e.querySelector("span").innerText).querySelector("input, select");
	field.value = %q;
	field.dispatchEvent(new Event("input", { bubbles: true }));
	field.dispatchEvent(new Event("change", { bubbles: true }));
	return "";
})()`

// chosenFile puts a small picture into the editor's file field.
const chosenFile = `(() => {
	const canvas = Object.assign(document.createElement("canvas"), { width: 900, height: 300 });
	canvas.toBlob(blob => {
		const files = new DataTransfer(), field = document.querySelector("[type=file]");
		files.items.add(new File([blob], "logo.png", { type: "image/png" }));
		field.files = files.files;
		field.dispatchEvent(new Event("change", { bubbles: true }));
	});
	return "";
})()`

// unnamed is a JavaScript expression for the fields that no label names.
const unnamed = `[...document.querySelectorAll("input, select, button, iframe")].filter(e =>
	!(e.labels?.[0]?.innerText.trim() || e.innerText?.trim() || e.title)).map(e => e.outerHTML).join(" ")`

const inPreview = `document.querySelector("iframe")?.contentDocument.querySelector(%q)`

func TestOverlayIsPutTogether(t *testing.T) {
	url, _ := listen(t, exampleServer(exampleFrame(2)), "127.0.0.1:0")
	b := newTab(t)
	address := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf("document.getElementById('address')?.value === %q", url+"/overlay"+want))
	}
	b.do(chromedp.Navigate(url + "/overlay/edit?lang=en")) // at the address of the table itself
	b.until("document.querySelectorAll('[data-act=seat]').length === 2")
	address("")
	b.click("summary")
	for _, step := range [][3]string{
		{"Duel", "", "?scene=two-seats"},
		{"Round", "", "?scene=two-seats&round=0"},
		{"Round", "", "?scene=two-seats"},
		{"Series", "5", "?scene=two-seats&best=5"},
		{"Count by hand", "", "?scene=two-seats&best=5&wins=red:0,blue:0"},
		{"Won by Max", "2", "?scene=two-seats&best=5&wins=red:0,blue:2"},
		{"Count by hand", "", "?scene=two-seats&best=5"},
		{"Name", "The Rot", "?scene=two-seats&best=5&name.red=The+Rot"},
		{"Series", "3", "?scene=two-seats&name.red=The+Rot"},
		{"Show Alice", "", "?scene=two-seats&name.red=The+Rot&seats=blue"},
		{"Show Alice", "", "?scene=two-seats&name.red=The+Rot"},
		{"Delay, in seconds", "20", "?scene=two-seats&name.red=The+Rot&delay=20"},
	} {
		b.eval(fmt.Sprintf(entered, step[0], step[1]))
		address(step[2])
	}
	b.until(fmt.Sprintf(inPreview+"?.innerText === 'The Rot'", ".seat[data-seat=red] h2"))
	if fields := b.eval(unnamed); fields != "" {
		t.Errorf("these fields have no name: %s", fields)
	}

	// A picture from the disk becomes part of the address, which the table does
	// not see.
	b.eval(chosenFile)
	b.until(fmt.Sprintf(inPreview+"?.naturalWidth === 320", ".logo"))
	got := b.eval("document.getElementById('address').value")
	if !strings.HasPrefix(got, url+"/overlay?scene=two-seats&name.red=The+Rot&delay=20#logo=data%3Aimage") {
		t.Errorf("got the address %.120s", got)
	}

	// The browser remembers the choices until the user starts over.
	b.do(chromedp.Navigate(url + "/overlay/edit?lang=fr"))
	b.until("document.getElementById('address')?.value === " + fmt.Sprintf("%q", got))
	b.until("document.querySelector('h1').innerText === 'En stream, à la télévision'")
	b.click("summary")
	b.click("[data-act=reset] button")
	address("")
}
