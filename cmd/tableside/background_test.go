package main

import (
	"context"
	"testing"
)

// background runs a part of a table until stop, which fails the test on its error.
func background(tb testing.TB, run func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	return func() {
		tb.Helper()
		cancel()
		if err := <-ended; err != nil {
			tb.Error(err)
		}
	}
}
