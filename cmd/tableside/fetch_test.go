package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"
)

// fetch is the curl of the scripts: "fetch URL" reads, "fetch URL BODY" posts.
// It prints the body, and the status on standard error; it waits up to thirty
// seconds for somebody to answer, and exits with 1 above 299.
func fetch() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: fetch URL [BODY]")
		os.Exit(2)
	}
	url := os.Args[1]
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
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

// await repeats fetch until a regular expression matches the answer, or waits until
// it matches a file: "await URL PATTERN", "await FILE PATTERN".
func await() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: await URL|FILE PATTERN")
		os.Exit(2)
	}
	pattern := regexp.MustCompile(os.Args[2])
	var last string
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		body, err := readAny(os.Args[1])
		if err != nil {
			last = err.Error()
			continue
		}
		if last = string(body); pattern.MatchString(last) {
			fmt.Print(last)
			return
		}
	}
	fmt.Fprintln(os.Stderr, last)
	os.Exit(1)
}

func readAny(where string) ([]byte, error) {
	if !strings.HasPrefix(where, "http") {
		return os.ReadFile(where)
	}
	answer, err := fetchOnce(where, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}

func fetchOnce(url string, body []string) (*http.Response, error) {
	if len(body) == 0 {
		return http.Get(url)
	}
	kind := "text/plain"
	if strings.Contains(body[0], "=") {
		kind = "application/x-www-form-urlencoded"
	}
	return http.Post(url, kind, strings.NewReader(body[0]))
}
