package client

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// commonFolders are names of folders that say nothing of what is in them; the folder around them does.
var commonFolders = []string{"doc", "docs", "documentation", "content", "src", "source", "book", "site", "wiki",
	"pages", "manual"}

// TitleOf returns a title for what a source holds: the name of its folder or file in words, or the host of its address.
// The error says that there is no such source.
func TitleOf(source string) (string, error) {
	if isAddress(source) {
		address, err := url.Parse(source)
		if err != nil || address.Hostname() == "" {
			return "", fmt.Errorf("%q is no address", source)
		}
		return strings.TrimPrefix(strings.ToLower(address.Hostname()), "www."), nil
	}
	info, err := os.Stat(source)
	if err != nil {
		return "", fmt.Errorf("there is no folder or file %q", source)
	}
	absolute, err := filepath.Abs(source)
	if err != nil {
		return "", fmt.Errorf("find %q: %w", source, err)
	}
	name := filepath.Base(absolute)
	if info.IsDir() {
		if parent := filepath.Base(filepath.Dir(absolute)); slices.Contains(commonFolders, strings.ToLower(name)) &&
			words(parent) != "" {
			name = parent
		}
	} else {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	if title := words(name); utf8.RuneCountInString(title) > 1 {
		return title, nil
	}
	return "Docs", nil
}

// words returns a file name as words with a capital at the beginning; "" when there are none.
func words(name string) string {
	text := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(name, ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune("-_/\\", r)
	}), " ")
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
