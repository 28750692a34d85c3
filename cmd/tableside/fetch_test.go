package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// fetch is the curl of the scripts: "fetch URL" reads, "fetch URL BODY" posts.
// It prints the body, and the status on standard error; it waits up to ten
// seconds for somebody to answer, and exits with 1 above 299.
func fetch() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: fetch URL [BODY]")
		os.Exit(2)
	}
	url := os.Args[1]
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		answer, err := fetchOnce(url, os.Args[2:])
		if err != nil && time.Now().Before(deadline) && strings.Contains(err.Error(), "refused") {
			continue
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintln(os.Stderr, answer.Status)
		_, _ = io.Copy(os.Stdout, answer.Body)
		answer.Body.Close()
		if answer.StatusCode > 299 {
			os.Exit(1)
		}
		return
	}
}

func fetchOnce(url string, body []string) (*http.Response, error) {
	if len(body) == 0 {
		return http.Get(url)
	}
	return http.Post(url, "text/plain", strings.NewReader(body[0]))
}
