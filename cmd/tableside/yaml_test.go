package main

import (
	"fmt"
	"strconv"
	"strings"
)

// An input is the name after !input in a blueprint.
type input string

// parseYAML parses as much YAML as blueprints and automations need: nested maps and
// lists by indentation, one-line lists and maps, texts with or without quotes, >- and
// comments. All else is an error.
func parseYAML(source string) (any, error) {
	p := &yamlReader{}
	for i, line := range strings.Split(source, "\n") {
		if strings.Contains(line, "\t") {
			return nil, fmt.Errorf("line %d: a tab", i+1)
		}
		text := strings.TrimLeft(line, " ")
		p.lines = append(p.lines, yamlLine{i + 1, len(line) - len(text), strings.TrimRight(text, " ")})
	}
	v, err := p.block(0)
	if err == nil && p.more() {
		err = p.wrong("it is indented unlike the lines before")
	}
	return v, err
}

type yamlLine struct {
	n, indent int
	text      string
}

type yamlReader struct {
	lines []yamlLine
	at    int
}

func (p *yamlReader) more() bool {
	for p.at < len(p.lines) && (p.lines[p.at].text == "" || p.lines[p.at].text[0] == '#') {
		p.at++
	}
	return p.at < len(p.lines)
}

func (p *yamlReader) wrong(why string) error {
	return fmt.Errorf("line %d: %s", p.lines[min(p.at, len(p.lines)-1)].n, why)
}

func (p *yamlReader) block(indent int) (any, error) {
	if !p.more() {
		return nil, p.wrong("something is missing")
	}
	if strings.HasPrefix(p.lines[p.at].text, "- ") {
		return p.list(indent)
	}
	return p.mapping(indent)
}

func (p *yamlReader) list(indent int) (any, error) {
	all := []any{}
	for p.more() && p.lines[p.at].indent == indent && strings.HasPrefix(p.lines[p.at].text, "- ") {
		line := &p.lines[p.at]
		line.text, line.indent = line.text[2:], indent+2
		var v any
		var err error
		if _, _, isKey := yamlKey(line.text); isKey {
			v, err = p.mapping(indent + 2)
		} else {
			v, err = p.scalar(line.text, indent+2)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func (p *yamlReader) mapping(indent int) (any, error) {
	all := map[string]any{}
	for p.more() && p.lines[p.at].indent == indent {
		key, rest, ok := yamlKey(p.lines[p.at].text)
		if !ok {
			return nil, p.wrong("no key")
		}
		if _, twice := all[key]; twice {
			return nil, p.wrong(key + " is there twice")
		}
		var v any
		var err error
		if rest != "" {
			v, err = p.scalar(rest, indent)
		} else {
			p.at++
			if !p.more() || p.lines[p.at].indent <= indent {
				return nil, p.wrong(key + " has no value")
			}
			v, err = p.block(p.lines[p.at].indent)
		}
		if err != nil {
			return nil, err
		}
		all[key] = v
	}
	return all, nil
}

func yamlKey(text string) (key, rest string, ok bool) {
	key, rest, ok = strings.Cut(text, ":")
	ok = ok && key != "" && !strings.ContainsAny(key, " \"'{[!") && (rest == "" || rest[0] == ' ')
	return key, strings.TrimSpace(rest), ok
}

// scalar parses the value after a key or hyphen.
func (p *yamlReader) scalar(text string, indent int) (any, error) {
	p.at++
	if text == ">-" {
		var words []string
		first := p.lines[min(p.at, len(p.lines)-1)].indent
		for p.at < len(p.lines) && p.lines[p.at].text != "" && p.lines[p.at].indent > indent {
			if p.lines[p.at].indent != first { // YAML ends the text there, or keeps the line break
				return nil, p.wrong("it is indented unlike the first line of its text")
			}
			words = append(words, p.lines[p.at].text)
			p.at++
		}
		return strings.Join(words, " "), nil
	}
	v, err := yamlValue(text)
	if err != nil {
		p.at--
		return nil, p.wrong(err.Error())
	}
	return v, nil
}

func yamlValue(text string) (any, error) {
	name, isInput := strings.CutPrefix(text, "!input ")
	inner := func(open, end string) (string, bool) {
		rest, ok := strings.CutPrefix(text, open)
		rest, closed := strings.CutSuffix(rest, end)
		return strings.TrimSpace(rest), ok && closed && len(text) > 1
	}
	list, isList := inner("[", "]")
	object, isObject := inner("{", "}")
	quoted, isQuoted := inner(`"`, `"`)
	switch {
	case isInput:
		return input(name), nil
	case text == "null":
		return nil, nil
	case text == "true" || text == "false":
		return text == "true", nil
	case isList:
		all := []any{}
		for _, one := range strings.Split(list, ",") {
			if list == "" {
				break
			}
			v, err := yamlValue(strings.TrimSpace(one))
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		return all, nil
	case isObject:
		all := map[string]any{}
		if object == "" {
			return all, nil
		}
		key, rest, ok := yamlKey(object)
		if !ok || strings.Contains(rest, ",") {
			return nil, fmt.Errorf("a map of more than one line is wanted for %s", text)
		}
		v, err := yamlValue(rest)
		all[key] = v
		return all, err
	case isQuoted && !strings.ContainsAny(quoted, `"\`):
		return text[1 : len(text)-1], nil
	case strings.ContainsAny(text[:1], "\"'{}[]&*#?|>%@!`") || strings.Contains(text, ": ") ||
		strings.Contains(text, " #"):
		return nil, fmt.Errorf("%s is not read here: put it in quotes", text)
	}
	if n, err := strconv.Atoi(text); err == nil {
		return n, nil
	}
	return text, nil
}
