package web

import "testing"

// What is chosen on /setup stays while the page looks at the table every second.
func TestSetUpKeepsChoices(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, settingUp(nothingPluggedIn)(t).Server, "127.0.0.1:0")
	b.open(url + "/setup?lang=en")
	b.until(`!!document.querySelector("select[name=model]")`)
	b.eval(`document.querySelector("select[name=model]").value = "inky-phat";
		document.querySelector("input[name=power]").checked = true;
		window.looks = () => performance.getEntriesByType("resource").filter(e => e.name.includes("/api/setup")).length;
		window.then = looks(); ""`)
	b.until(`looks() >= then + 3`)
	b.until(`document.querySelector("select[name=model]").value === "inky-phat" &&
		document.querySelector("input[name=power]").checked`)
}
