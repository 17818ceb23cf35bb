package reader

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// What a bare address looks like: a host with a dot in it, and behind it letters of any script, which addresses of
// wikis have, but no punctuation outside ASCII, which ends an address in Chinese and Japanese. Some writers escape
// what would mean something elsewhere.
const (
	bareHost = `[-\p{L}\p{N}_]+(?:\.[-\p{L}\p{N}_]+)+(?::\d{1,5})?`
	barePath = `(?:[/?#](?:\\[_&~][\p{L}\p{N}]|[-\p{L}\p{M}\p{N}@:%_+.~#$!?&/=();,'{}\[\]])*)?`
)

var (
	bareURL = regexp.MustCompile(`^https?://` + bareHost + barePath)
	bareWWW = regexp.MustCompile(`^www\.` + bareHost + barePath)

	bareProtocols = []string{"https://", "http://"}
)

// bareAttribute marks links that were bare addresses.
const bareAttribute = "bare"

// bareWords is how many bytes behind a text tell whether an address starts there: "https://" and a host of any length
// that a name can have.
const bareWords = 300

// newBareAddressParser returns goldmark's parser of addresses that stand in the text without brackets, as GitHub's
// Markdown has them.
func newBareAddressParser() parser.InlineParser {
	return bareAddressParser{extension.NewLinkifyParser(
		extension.WithLinkifyAllowedProtocols(bareProtocols),
		extension.WithLinkifyURLRegexp(bareURL),
		extension.WithLinkifyWWWRegexp(bareWWW),
	)}
}

// bareAddressParser puts the guard in front of the library's parser.
type bareAddressParser struct{ parser.InlineParser }

func (p bareAddressParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if len(line) > 0 && strings.IndexByte(" *_~(", line[0]) >= 0 {
		line = line[1:]
	}
	if !mayBeBareAddress(line) {
		return nil
	}
	g := stateOf(pc).guard
	g.step(segment.Start, 8+wordLength(line)/4)
	node := p.InlineParser.Parse(parent, block, pc)
	if node != nil {
		g.allocate(segment.Start, bareAddressCost)
		node.SetAttributeString(bareAttribute, true)
	}
	return node
}

// mayBeBareAddress reports cheaply whether a line may begin with an address.
func mayBeBareAddress(line []byte) bool {
	if len(line) == 0 || util.IsPunct(line[0]) || util.IsSpace(line[0]) {
		return false
	}
	return bytes.HasPrefix(line, []byte("http")) || bytes.HasPrefix(line, []byte("www.")) ||
		bytes.IndexByte(line[:min(len(line), 65)], '@') > 0
}

// wordLength returns how many bytes of a line come before white space.
func wordLength(line []byte) int {
	if end := bytes.IndexAny(line, " \t\n"); end >= 0 {
		return end
	}
	return len(line)
}

// BareAddressAt returns where in the text, from an offset on, the character stands that must be escaped to keep an
// address that would start there from being a link; -1 when none starts there.
func BareAddressAt(s []byte, at int) int {
	if at > 0 && strings.IndexByte(" \t\n*_~(", s[at-1]) < 0 {
		return -1
	}
	rest := s[at:min(len(s), at+bareWords)]
	switch {
	case !mayBeBareAddress(rest):
	case bareURL.Match(rest):
		return at + bytes.IndexByte(rest, ':')
	case bareWWW.Match(rest):
		return at + len("www")
	case util.FindEmailIndex(rest) > 0:
		return at + bytes.IndexByte(rest, '@')
	}
	return -1
}
