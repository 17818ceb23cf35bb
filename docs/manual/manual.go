// Package manual owns the product's manual: a Markdown tree in the dialect, embedded so that recto demo can publish it
// without a network.
package manual

import "embed"

// Files is the tree; SUMMARY.md is its table of contents.
//
//go:embed .gitbook.yaml *.md all:start all:writing all:publish all:extend all:operate all:reference
var Files embed.FS
