package displaytest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp"
)

// Until waits until a JavaScript expression is true on the page of a tab. The tab may go to
// another page meanwhile. If the expression throws a TypeError, Until goes on waiting. The
// usual reason is that the page has not yet drawn what the expression refers to.
//
// If ctx ends, or if the expression throws any other error, Until returns an error with the
// text of the page.
func Until(ctx context.Context, expression string) error {
	tried := fmt.Sprintf(`(() => {
		try {
			return !!(%s);
		} catch (e) {
			if (!(e instanceof TypeError)) throw e;
			return false;
		}
	})()`, expression)
	for {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](tried, chromedp.WithPollingTimeout(0), chromedp.WithPollingInterval(50*time.Millisecond)))
		if err == nil {
			return nil
		}
		if PageLeft(err) && ctx.Err() == nil {
			continue
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		text, _ := chromedp.Run(last, chromedp.Evaluate[string]("document.body.innerText"))
		return fmt.Errorf("never true: %s (%w)\nthe page says:\n%s", expression, err, text)
	}
}

// PageLeft reports whether a tab could not answer because it has left the page that was asked.
func PageLeft(err error) bool {
	var refused *cdproto.Error
	return errors.As(err, &refused) && refused.Code == -32000
}
