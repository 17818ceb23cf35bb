package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/content/search/typos"
	"github.com/rectodocs/recto/internal/engine/language"
)

// Bounds of the words that a misspelt one may stand for.
const (
	// maxCompared is how many words that are near are looked up, maxTypos how many of them are searched for.
	maxCompared = 64
	maxTypos    = 6
	// seldom is on how many pages a word may be that is a typo itself, likelier how many times more have the word that
	// was meant, and shortestSeldom how many letters it has to have.
	seldom         = 2
	likelier       = 15
	shortestSeldom = 5
	// shortestTwice is how many letters a word has to have to stand for those that are two letters off as well as for
	// those that are one off. A shorter one stands for the former where there are none of the latter.
	shortestTwice = 8
	// shortestTypo is how many letters a word has to have to stand for any that is one letter off, and not for those
	// alone that have its letters in another order. A word that stands with another one of the query is always meant.
	shortestTypo = 4
)

// Weights of the words that a misspelt one may stand for, beside the word itself.
const (
	typoWeight   float32 = 0.7  // a word that is one letter off
	typosWeight  float32 = 0.45 // a word that is two letters off
	likelyWeight float32 = 0.5  // a word that is one letter off one that is a typo on some page
)

// How much likelier a word was meant that stands with another word of the query, in a title or in the headings of one
// page: by as much as a thousand or 32 times as many pages that have it.
const (
	besideTitle    = 5
	besideHeadings = 2.5
)

// misspelling is a word of a query that is nowhere, with those that it may have been meant to be.
type misspelling struct {
	unit   *unit
	words  []near
	weight float32
	before int // how many variants the unit had
}

// near is a word that a misspelt one may stand for.
type near struct {
	term     string
	distance int
	begins   bool
	// beside is by how much it is likelier because it stands with another word of the query; 0 when it does not.
	beside float64
	likely float64
}

// mend lets words that are nowhere, or next to nowhere, stand for what they may have been meant to be. It returns the
// text of the query with these words, "" when there are none.
func (x *expansion) mend(ctx context.Context, asked parsed, written string) (changed string, err error) {
	change := func(u *unit, meant string) {
		if at := strings.LastIndex(written, u.written); meant != "" && at >= 0 && u.parts == 0 {
			written = written[:at] + meant + written[at+len(u.written):]
			changed = written
		}
	}
	var misspelt []*misspelling
	for _, u := range slices.Backward(asked.units) {
		if u.optional || u.stop || u.hint || u.found > 0 && u.same != nil {
			continue
		}
		if u.itself {
			meant, err := x.addLikely(ctx, u)
			if err != nil {
				return "", err
			}
			change(u, meant)
			continue
		}
		if u.found > 0 && (u.last && u.begins || u.parts > 0) {
			continue
		}
		words, err := x.nearest(ctx, u)
		if err != nil {
			return "", err
		}
		each := &misspelling{unit: u, words: words, weight: 1, before: len(u.variants)}
		if u.found > 0 {
			// Another form of it is somewhere, which may be by chance.
			each.weight = 0.6
		}
		if u.parts == 0 {
			misspelt = append(misspelt, each)
			continue
		}
		if meant, err := x.addTypos(each); err != nil {
			return "", err
		} else if meant == "" {
			u.optional = true
			continue
		}
		for _, word := range asked.units[u.first : u.first+u.parts] {
			word.hint = true
		}
	}
	meant := make([]string, len(misspelt))
	// Where there are several, what is found for one tells more of the others.
	for range min(len(misspelt), 2) {
		for i, each := range misspelt {
			if meant[i], err = x.addTypos(each); err != nil {
				return "", err
			}
		}
	}
	for i, each := range misspelt {
		change(each.unit, meant[i])
	}
	return changed, nil
}

// addTypos adds the words that a unit is but for some typos, with the rarer kinds of typo weighed less, in the place of
// those that were added before. It returns the most likely of them, "" for none.
func (x *expansion) addTypos(m *misspelling) (string, error) {
	u := m.unit
	found, err := x.likeliest(u, m.words)
	if err != nil || len(found) == 0 {
		return "", err
	}
	u.variants = u.variants[:m.before]
	for _, each := range found {
		w := m.weight * typoWeight
		if each.distance > 1 {
			w = m.weight * typosWeight
		}
		w *= float32(math.Exp2(each.likely - found[0].likely))
		u.variants = append(u.variants, variant{each.term, w})
		x.addForms(u, each.term, each.term, w*formWeight)
	}
	u.found = 1
	return found[0].term, nil
}

// addLikely adds the word that is one letter off and on far more pages, where the unit is on next to none: pages have
// typos as well. It returns that word, "" for none.
func (x *expansion) addLikely(ctx context.Context, u *unit) (string, error) {
	if utf8.RuneCountInString(u.term) < shortestSeldom || u.parts > 0 {
		return "", nil
	}
	pages, err := x.parts.seen(u.term, seldom+1)
	if err != nil || pages > seldom {
		return "", err
	}
	words, err := x.nearest(ctx, u)
	if err != nil {
		return "", err
	}
	found, err := x.likeliest(u, words)
	if err != nil || len(found) == 0 || found[0].distance > 1 || found[0].begins {
		return "", err
	}
	often, err := x.parts.seen(found[0].term, likelier*seldom)
	if err != nil || often < likelier*pages {
		return "", err
	}
	u.variants = append(u.variants, variant{found[0].term, likelyWeight})
	x.addForms(u, found[0].term, found[0].term, likelyWeight*formWeight)
	return found[0].term, nil
}

// nearest returns the words of pages that may be found that are a unit but for some typos.
func (x *expansion) nearest(ctx context.Context, u *unit) ([]near, error) {
	allowed := typos.Allowed(u.term)
	if allowed == 0 || language.HasCJK(u.term) {
		return nil, nil
	}
	alone := !slices.ContainsFunc(x.units, func(other *unit) bool { return other != u && mayStandBeside(other) })
	if utf8.RuneCountInString(u.term) < shortestTwice && alone {
		// Those that are two letters off would be left out beside one that is nearer, and cost more to find.
		if found, err := x.within(ctx, u, 1); err != nil || len(found) > 0 {
			return found, err
		}
	}
	return x.within(ctx, u, allowed)
}

// mayStandBeside reports whether a unit is a word that tells of others.
func mayStandBeside(u *unit) bool { return u.parts == 0 && needed(u) }

// within returns the words of pages that may be found that are a unit but for that many typos.
func (x *expansion) within(ctx context.Context, u *unit, allowed int) ([]near, error) {
	best := map[string]near{}
	for _, p := range x.parts.parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		words, err := p.words()
		if err != nil {
			return nil, err
		}
		words.Near(u.term, allowed, func(term string, distance int, begins bool) {
			if known, ok := best[term]; !ok || distance < known.distance {
				best[term] = near{term: term, distance: distance, begins: begins}
			}
		})
	}
	delete(best, u.term)
	found := make([]near, 0, len(best))
	for _, each := range best {
		found = append(found, each)
	}
	// By distance first: only so many are looked up.
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance+boolInt(a.begins), b.distance+boolInt(b.begins)),
			cmp.Compare(abs(len(a.term)-len(u.term)), abs(len(b.term)-len(u.term))), cmp.Compare(a.term, b.term))
	})
	var kept []near
	for _, each := range found[:min(len(found), maxCompared)] {
		pages, err := x.parts.seen(each.term, 200)
		if err != nil {
			return nil, err
		}
		if pages > 0 {
			// A word that many pages have is meant more often, but a letter more that is wrong is the stronger sign.
			each.likely = math.Log2(1+float64(pages))/2 - 3*float64(each.distance) - 1.2*float64(boolInt(each.begins))
			kept = append(kept, each)
		}
	}
	return kept, nil
}

// likeliest returns those of the words near a unit that it was most likely meant to be, these first.
func (x *expansion) likeliest(u *unit, words []near) ([]near, error) {
	kept := slices.Clone(words)
	if err := x.preferBeside(u, kept); err != nil {
		return nil, err
	}
	letters := utf8.RuneCountInString(u.term)
	oneOff := slices.ContainsFunc(kept, func(n near) bool { return n.distance <= 1 })
	kept = slices.DeleteFunc(kept, func(n near) bool {
		return n.beside == 0 && (letters < shortestTwice && oneOff && n.distance > 1 ||
			letters < shortestTypo && !exchanged(u.term, n.term))
	})
	slices.SortFunc(kept, func(a, b near) int {
		return cmp.Or(-cmp.Compare(a.likely, b.likely), cmp.Compare(a.term, b.term))
	})
	return kept[:min(len(kept), maxTypos)], nil
}

// exchanged reports whether two words have the same letters.
func exchanged(a, b string) bool {
	one, other := []rune(a), []rune(b)
	slices.Sort(one)
	slices.Sort(other)
	return slices.Equal(one, other)
}

// preferBeside makes those of some words likelier that stand with another word of the query in a title, or in the
// headings of one page: who asks for generic query optimizer with typos means the title that says genetic query
// optimizer, not the many pages that say generic.
func (x *expansion) preferBeside(u *unit, words []near) error {
	others := slices.DeleteFunc(slices.Clone(x.units), func(other *unit) bool {
		return other == u || other.found == 0 || !mayStandBeside(other)
	})
	if len(others) == 0 || len(words) == 0 {
		return nil
	}
	for _, p := range x.parts.parts {
		for field, gain := range map[string]float64{fieldTitle: besideTitle, fieldHeadings: besideHeadings} {
			pages, err := p.having(field, others)
			if err != nil {
				return err
			}
			for i := range words {
				if words[i].beside >= gain {
					continue
				}
				stands, err := p.hasAmong(field, words[i].term, pages)
				if err != nil {
					return err
				}
				if stands {
					words[i].beside = gain
				}
			}
		}
	}
	for i := range words {
		words[i].likely += words[i].beside
	}
	return nil
}

func abs(n int) int { return max(n, -n) }
