// Package vectors owns the vectors beside the words of search: which passages a page has, which vectors these have,
// which are nearest to that of a query, and asking for what is missing.
//
// It promises that a passage is sent once by a process as long as its text, the model and its address stay the same;
// that vectors of two models never meet; and that no query waits for an endpoint that is away, nor fails by it. It does
// not know pages or who may see them: callers say which documents may be found, and which may be sent.
package vectors

import (
	"crypto/sha256"
	"slices"
	"strings"
	"unicode/utf8"
)

// Passage is what has a vector of its own: a part of a section of a document.
type Passage struct {
	// Section is the number of the section in its document.
	Section int
	// Text is what is sent.
	Text string
}

// Hash names the text of a passage.
type Hash [16]byte

func hashOf(text string) Hash {
	sum := sha256.Sum256([]byte(text))
	return Hash(sum[:])
}

// Section is a section of a document: its heading and what stands below it.
type Section struct{ Heading, Text string }

// Bounds of what one document has: how long the text of a passage is beside its headings, how long a heading, and how
// many passages there are.
const (
	passageBytes = 1200
	headingBytes = 200
	maxPassages  = 400
)

// Cut makes the passages of a document: each has the title and the heading of its section before its text, so that it
// says by itself what it is about.
func Cut(title string, sections []Section) []Passage {
	var passages []Passage
	title = shortened(title)
	says := slices.ContainsFunc(sections, func(s Section) bool { return strings.TrimSpace(s.Text) != "" })
	for number, section := range sections {
		heading := title
		if section.Heading != "" && section.Heading != title {
			heading = strings.TrimSpace(title + "\n" + shortened(section.Heading))
		}
		rest := strings.TrimSpace(section.Text)
		if rest == "" && (heading == "" || heading == title && says) {
			continue // the title stands in all others
		}
		for first := true; first || rest != ""; first = false {
			if len(passages) == maxPassages {
				return passages
			}
			end := passageEnd(rest)
			passages = append(passages, Passage{number, strings.TrimSpace(heading + "\n" + rest[:end])})
			rest = strings.TrimSpace(rest[end:])
		}
	}
	return passages
}

func shortened(heading string) string {
	heading = strings.TrimSpace(heading)
	return heading[:boundary(heading, headingBytes)]
}

// passageEnd is where a passage ends that begins a text: between paragraphs or words, if there are any near its bound.
func passageEnd(text string) int {
	if len(text) <= passageBytes {
		return len(text)
	}
	end := boundary(text, passageBytes)
	for _, sign := range []string{"\n", ". ", " "} {
		if at := strings.LastIndex(text[:end], sign); at > passageBytes*2/3 {
			return at + len(sign)
		}
	}
	return end
}

// boundary is the end of the last whole character within so many bytes of a text.
func boundary(text string, bytes int) int {
	if len(text) <= bytes {
		return len(text)
	}
	for bytes > 0 && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return bytes
}
