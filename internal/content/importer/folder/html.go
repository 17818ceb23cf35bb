package folder

import (
	"bytes"
	"fmt"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

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
