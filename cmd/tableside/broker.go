package main

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/mqtt"
)

// tryBroker connects to the broker as a table would, and leaves. A running
// table notices nothing.
func tryBroker(ctx context.Context, c *config.Config) error {
	m := c.Client()
	m.Dial = rig.Dial
	m.Lang = "" // what a command prints is English
	return mqtt.Check(ctx, m)
}

// brokerFix says what to do about an error of tryBroker.
func brokerFix(err error) string {
	var p *mqtt.Problem
	if !errors.As(err, &p) {
		return ""
	}
	first, size := utf8.DecodeRuneInString(p.Fix)
	return string(unicode.ToLower(first)) + p.Fix[size:]
}

// brokerReason says what is wrong, without the name of the package.
func brokerReason(err error) string { return strings.TrimPrefix(err.Error(), "mqtt: ") }
