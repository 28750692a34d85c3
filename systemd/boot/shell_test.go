//go:build boot

package boot

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// hear reads the shell's output until the machine ends.
func (m *machine) hear() {
	defer m.shell.Close()
	log, err := os.Create(strings.TrimSuffix(m.console, filepath.Ext(m.console)) + ".shell")
	if err != nil {
		m.Error(err)
		return
	}
	defer log.Close()
	defer close(m.lines)
	said := bufio.NewScanner(m.shell)
	for said.Scan() {
		line := strings.TrimRight(said.Text(), "\r")
		fmt.Fprintf(log, "%7.2f %s\n", time.Since(m.begun).Seconds(), line)
		select {
		case m.lines <- line:
		default: // nobody waits for a line
		}
	}
}

// answer waits for a line with this ending, and returns the lines before it.
func (m *machine) answer(mark string, patience time.Duration) (lines []string, rest string, err error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case line, ok := <-m.lines:
			if !ok {
				return lines, "", errors.New("the machine ended")
			}
			if _, rest, ok := strings.Cut(line, mark); ok {
				return lines, rest, nil
			}
			lines = append(lines, line)
		case <-timer.C:
			return lines, "", fmt.Errorf("no answer after %v", patience)
		}
	}
}

// ready waits for the shell.
func (m *machine) ready(patience time.Duration) {
	m.Helper()
	for until := time.Now().Add(patience); time.Now().Before(until); {
		fmt.Fprint(m.shell, "stty -echo; echo @rea''dy\n")
		if _, _, err := m.answer("@ready", 3*time.Second); err == nil {
			return
		}
	}
	m.Fatalf("there is no shell after %v; see %s", patience, m.console)
}

func (m *machine) do(patience time.Duration, command string) string {
	m.Helper()
	out, code := m.try(patience, command)
	if code != "0" {
		m.Fatalf("%s: exit code %s\n%s", command, code, out)
	}
	return out
}

// try runs a command and returns its output and exit code.
func (m *machine) try(patience time.Duration, command string) (out, code string) {
	m.Helper()
	m.asked++
	// The marks are not in the line itself, which the terminal may repeat.
	fmt.Fprintf(m.shell, "echo @be''gin %d; { %s\n} 2>&1 </dev/null; echo @en''d %d $?\n", m.asked, command, m.asked)
	if _, _, err := m.answer(fmt.Sprintf("@begin %d", m.asked), patience); err != nil {
		m.Fatalf("%s: %v; see %s", command, err, m.console)
	}
	lines, code, err := m.answer(fmt.Sprintf("@end %d ", m.asked), patience)
	if err != nil {
		m.Fatalf("%s: %v; see %s\n%s", command, err, m.console, strings.Join(lines, "\n"))
	}
	return strings.Join(lines, "\n"), strings.TrimSpace(code)
}
