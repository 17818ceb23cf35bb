package folder

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/rectodocs/recto/internal/base/errs"
)

// decode returns the text of a file: UTF-8 without a byte order mark. Other encodings and NUL bytes are refused, with
// the place.
func decode(path string, data []byte) (string, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return "", errs.New(errs.Invalid, "%s:%d holds a NUL byte; it is not text, or not in UTF-8", path,
			lineOf(data, at))
	}
	if !utf8.Valid(data) {
		at := 0
		for at < len(data) {
			r, size := utf8.DecodeRune(data[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return "", errs.New(errs.Invalid, "%s:%d is not UTF-8 (byte 0x%02X); save the file as UTF-8", path,
			lineOf(data, at), data[at])
	}
	return string(data), nil
}

func lineOf(data []byte, at int) int { return 1 + bytes.Count(data[:at], []byte{'\n'}) }

// humanize makes a title of a file or folder name: "getting-started" becomes "Getting started".
func humanize(name string) string {
	title := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")
	if title == "" {
		return name
	}
	first, size := utf8.DecodeRuneInString(title)
	return strings.ToUpper(string(first)) + title[size:]
}

// placeAt names a line of a file.
func placeAt(place string, line int) string {
	if line <= 0 {
		return place
	}
	return place + ":" + strconv.Itoa(line)
}

// spellingsOf returns a path as written and, when it has percent signs, decoded.
func spellingsOf(written string) []string {
	spellings := []string{written}
	if decoded, err := url.PathUnescape(written); err == nil && decoded != written {
		spellings = append(spellings, decoded)
	}
	return spellings
}

// skipBlank returns a body without the blank lines that it starts with.
func skipBlank(body []byte) []byte {
	for {
		end := bytes.IndexByte(body, '\n')
		if end < 0 || len(bytes.TrimSpace(body[:end])) > 0 {
			return body
		}
		body = body[end+1:]
	}
}

// inFile puts the name of a file before a refusal.
func inFile(place string, err error) error {
	own, ok := errors.AsType[*errs.Error](err)
	if !ok {
		return fmt.Errorf("read %s: %w", place, err)
	}
	return errs.Wrap(err, own.Kind, "%s: %s", place, own.Message)
}

// parseHTML parses a page in the encoding that it names.
func parseHTML(data []byte) (*html.Node, error) {
	decoded, err := charset.NewReader(bytes.NewReader(data), "text/html")
	if err != nil {
		return nil, fmt.Errorf("decode page: %w", err)
	}
	root, err := html.ParseWithOptions(decoded, html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, fmt.Errorf("parse page: %w", err)
	}
	return root, nil
}
