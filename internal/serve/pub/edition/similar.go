package edition

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rectodocs/recto/internal/content/store"
)

// wordIndex finds pages by the words of their paths and titles: for addresses that have no page.
type wordIndex struct {
	pages map[string][]*store.TreeNode
	// byFirst is the words by their first letter, for those that are misspelt.
	byFirst map[rune][]string
}

// Bounds of a search for similar pages, so that an address that does not exist costs little however many there are.
const (
	maxPagesPerWord = 64
	maxWordsAsked   = 12
	maxWordsTried   = 4000
	MaxSimilar      = 5
)

func indexWords(e *Edition) wordIndex {
	index := wordIndex{pages: map[string][]*store.TreeNode{}, byFirst: map[rune][]string{}}
	for _, node := range e.Reading {
		if !e.Searchable(node) {
			continue
		}
		words := append(WordsOf(node.Entry.Slug), WordsOf(Title(node.Entry))...)
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			pages := index.pages[word]
			if pages == nil {
				first := []rune(word)[0]
				index.byFirst[first] = append(index.byFirst[first], word)
			}
			if len(pages) < maxPagesPerWord {
				index.pages[word] = append(pages, node)
			}
		}
	}
	return index
}

// WordsOf cuts text into its words in lower case.
func WordsOf(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return words[:min(len(words), maxWordsAsked)]
}

// similar returns the pages that have most of a path's words, the best first. The last segment counts most, and rare
// words more than those of many pages.
func (x wordIndex) similar(path string) []*store.TreeNode {
	scores := map[*store.TreeNode]float64{}
	segments := strings.Split(path, "/")
	slices.Reverse(segments)
	asked := 0
	for i, segment := range segments[:min(len(segments), 3)] {
		for _, word := range WordsOf(segment) {
			if asked++; asked > maxWordsAsked {
				break
			}
			for _, known := range x.meant(word) {
				pages := x.pages[known.word]
				for _, node := range pages {
					scores[node] += known.weight / (1 + float64(i)) / (1 + float64(len(pages))/8)
				}
			}
		}
	}
	found := make([]*store.TreeNode, 0, len(scores))
	for node := range scores {
		found = append(found, node)
	}
	slices.SortFunc(found, func(a, b *store.TreeNode) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	})
	return found[:min(len(found), MaxSimilar)]
}

type meaning struct {
	word   string
	weight float64
}

// meant returns the words of the index that a word may stand for: itself, else those that begin with it or have up to
// two letters different.
func (x wordIndex) meant(word string) []meaning {
	if _, ok := x.pages[word]; ok {
		return []meaning{{word, 1}}
	}
	letters := []rune(word)
	if len(letters) < 3 {
		return nil
	}
	var found []meaning
	candidates := x.byFirst[letters[0]]
	for _, candidate := range candidates[:min(len(candidates), maxWordsTried)] {
		switch {
		case strings.HasPrefix(candidate, word) || len(letters) > 4 && strings.HasPrefix(word, candidate) &&
			len(candidate) > 3:
			found = append(found, meaning{candidate, 0.7})
		case distanceWithin(letters, []rune(candidate), min(2, len(letters)/3)):
			found = append(found, meaning{candidate, 0.6})
		}
		if len(found) >= 8 {
			break
		}
	}
	return found
}

// distanceWithin reports whether at most limit letters have to be put in, taken out or replaced to make a into b.
func distanceWithin(a, b []rune, limit int) bool {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return false
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal, best := row[0], i+1
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
			best = min(best, cost)
		}
		if best > limit {
			return false
		}
	}
	return row[len(b)] <= limit
}
