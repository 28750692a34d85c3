package device

import (
	"context"

	"tableside/engine"
)

// SourceFunc is a Source that is one function.
type SourceFunc func(context.Context, Emit) error

// Run implements Source.
func (s SourceFunc) Run(ctx context.Context, emit Emit) error { return s(ctx, emit) }

// OutputFunc is an Output that is one function, and cannot fail.
type OutputFunc func(context.Context, engine.Frame)

// Show implements Output.
func (o OutputFunc) Show(ctx context.Context, f engine.Frame) error {
	o(ctx, f)
	return nil
}
