package search

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	blevesearch "github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
)

// maxTerms bounds the words of one query; the rest is ignored.
const maxTerms = 16

// Weights of the fields: a word in the title says more about a page than one in its body.
const (
	titleWeight   = 5.0
	headingWeight = 2.5
	bodyWeight    = 1.0
	prefixFactor  = 0.6 // a word that only begins like the one typed
	typoFactor    = 0.3 // a word that is one or two letters off
	phraseFactor  = 2.0 // all words next to each other, in order
)

// typosAllowed says how many letters of a word may be wrong: one from four letters, two from eight.
func typosAllowed(term string) int {
	switch letters := utf8.RuneCountInString(term); {
	case letters >= 8:
		return 2
	case letters >= 4:
		return 1
	}
	return 0
}

// buildQuery makes the query for a text: every word has to be on the page, as itself, as another form of it, as the
// beginning of a word, or with the allowed typos. With whole, words that are written as one, such as unwrap_or_else or
// Vec<T>, have to be together on the page as well. It returns nil when the text has no words.
func buildQuery(q Query, whole bool) query.Query {
	stream := newAnalyzer(false).Analyze([]byte(q.Text))
	if len(stream) == 0 {
		return nil
	}
	if len(stream) > maxTerms {
		stream = stream[:maxTerms]
	}
	var words []query.Query
	for i := 0; i < len(stream); i++ {
		first := stream[i]
		for whole && i+1 < len(stream) && isOneWord(q.Text, stream[i], stream[i+1]) {
			i++
		}
		if written := q.Text[first.Start:stream[i].End]; stream[i] != first {
			words = append(words, compoundQuery(written))
		} else {
			words = append(words, wordQuery(written, string(first.Term), i == len(stream)-1, len(stream) > fewWords))
		}
	}
	all := bleve.NewConjunctionQuery(words...)
	parts := []query.Query{all}
	if len(stream) > 1 {
		phrase := bleve.NewBooleanQuery()
		phrase.AddMust(all)
		phrase.AddShould(
			boostedPhrase(q.Text, fieldBody, bodyWeight*phraseFactor),
			boostedPhrase(q.Text, fieldTitle, titleWeight*phraseFactor),
			boostedPhrase(q.Text, fieldHeadings, headingWeight*phraseFactor),
		)
		parts = []query.Query{phrase}
	}
	if q.Published {
		for _, field := range []string{fieldHidden, fieldUnlisted, fieldVisitor} {
			shown := bleve.NewTermQuery("false")
			shown.SetField(field)
			shown.SetBoost(0)
			parts = append(parts, shown)
		}
	}
	if without := q.without(); len(without) > 0 {
		all := bleve.NewBooleanQuery()
		all.AddMust(parts...)
		all.AddMustNot(bleve.NewDocIDQuery(without))
		return all
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return bleve.NewConjunctionQuery(parts...)
}

// maxSignsBetween is how many signs may stand between two words that are written as one.
const maxSignsBetween = 3

// isOneWord reports whether only signs, and no space, stand between two words of a text, as in names of code. A slash
// and the like separate words.
func isOneWord(text string, a, b *analysis.Token) bool {
	if b.Start <= a.End || b.Start-a.End > maxSignsBetween { // pairs of Chinese characters overlap
		return false
	}
	between := text[a.End:b.Start]
	if hasCJK(text[a.Start:b.End]) {
		return false
	}
	return !strings.ContainsFunc(between, func(r rune) bool {
		return r > unicode.MaxASCII || unicode.IsSpace(r) || strings.ContainsRune("/,;|", r)
	})
}

// hasCompound reports whether a text has words that are written as one.
func hasCompound(text string) bool {
	stream := newAnalyzer(false).Analyze([]byte(text))
	for i := range len(stream) - 1 {
		if isOneWord(text, stream[i], stream[i+1]) {
			return true
		}
	}
	return false
}

// compoundQuery matches words next to each other in any field.
func compoundQuery(written string) query.Query {
	return bleve.NewDisjunctionQuery(
		boostedPhrase(written, fieldTitle, titleWeight), boostedPhrase(written, fieldTitlePlain, titleWeight),
		boostedPhrase(written, fieldHeadings, headingWeight), boostedPhrase(written, fieldHeadingPlain, headingWeight),
		boostedPhrase(written, fieldBody, bodyWeight), boostedPhrase(written, fieldBodyPlain, bodyWeight),
	)
}

// wordQuery matches one word in any field. Written is the word as typed, term its folded form; last says that it may be
// unfinished, many that the query has many words.
func wordQuery(written, term string, last, many bool) query.Query {
	var any []query.Query
	for _, field := range []struct {
		stemmed, plain string
		weight         float64
	}{
		{fieldTitle, fieldTitlePlain, titleWeight},
		{fieldHeadings, fieldHeadingPlain, headingWeight},
		{fieldBody, fieldBodyPlain, bodyWeight},
	} {
		stemmed := bleve.NewMatchQuery(written)
		stemmed.SetField(field.stemmed)
		stemmed.SetOperator(query.MatchQueryOperatorAnd)
		stemmed.SetBoost(field.weight)
		exact := bleve.NewTermQuery(term)
		exact.SetField(field.plain)
		exact.SetBoost(field.weight)
		any = append(any, stemmed, exact)
		if last {
			if prefix := beginnings(term, field.plain, field.weight*prefixFactor); prefix != nil {
				any = append(any, prefix)
			}
		}
		if fuzzy := misspelt(term, field.plain, field.weight*typoFactor, many); fuzzy != nil {
			any = append(any, fuzzy)
		}
	}
	return bleve.NewDisjunctionQuery(any...)
}

func boostedPhrase(text, field string, boost float64) query.Query {
	phrase := bleve.NewMatchPhraseQuery(text)
	phrase.SetField(field)
	phrase.SetBoost(boost)
	return phrase
}

func hasCJK(term string) bool { return strings.ContainsFunc(term, isCJK) }

// span is a range of bytes in the body field.
type span struct{ start, end int }

// matches collects where words of the query stand in the body, in order and without overlaps.
func matches(hit *blevesearch.DocumentMatch) []span {
	var spans []span
	for _, field := range []string{fieldBody, fieldBodyPlain} {
		for _, locations := range hit.Locations[field] {
			for _, location := range locations {
				spans = append(spans, span{int(location.Start), int(location.End)})
			}
		}
	}
	slices.SortFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	joined := spans[:0]
	for _, s := range spans {
		if last := len(joined) - 1; last >= 0 && s.start < joined[last].end {
			joined[last].end = max(joined[last].end, s.end)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// maxSections is how many sections of one page a result shows.
const maxSections = 5

// sectionHits picks the best sections of a page: those that hold the most different words, then the most words.
func sectionHits(hit *blevesearch.DocumentMatch) ([]SectionHit, error) {
	body, _ := hit.Fields[fieldBody].(string)
	encoded, _ := hit.Fields[fieldSections].(string)
	var sections []storedSection
	if err := json.Unmarshal([]byte(encoded), &sections); err != nil {
		return nil, fmt.Errorf("read the sections of %s: %w", hit.ID, err)
	}
	type scored struct {
		SectionHit
		order, score int
	}
	spans := matches(hit)
	headings := headingTerms(hit)
	var found []scored
	for order, section := range sections {
		if section.End > len(body) || section.Start > section.End {
			return nil, fmt.Errorf("section %d of %s lies outside its text", order, hit.ID)
		}
		text := body[section.Start:section.End]
		var inside []span
		different := map[string]bool{}
		for _, s := range spans {
			if s.start >= section.Start && s.end <= section.End {
				inside = append(inside, span{s.start - section.Start, s.end - section.Start})
				different[string(fold([]byte(text[s.start-section.Start:s.end-section.Start])))] = true
			}
		}
		inTitle := matchesHeading(section.Title, headings)
		if len(inside) == 0 && inTitle == 0 {
			continue
		}
		excerpt, marks := excerpt(text, inside)
		found = append(found, scored{
			SectionHit: SectionHit{ID: section.ID, Title: section.Title, Body: excerpt, Marks: marks},
			order:      order,
			score:      inTitle*20 + len(different)*10 + min(len(inside), 9),
		})
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].score > found[j].score })
	hits := make([]SectionHit, 0, min(len(found), maxSections))
	for _, section := range found[:min(len(found), maxSections)] {
		hits = append(hits, section.SectionHit)
	}
	return hits, nil
}

// headingTerms lists the indexed forms of the words that matched in headings.
func headingTerms(hit *blevesearch.DocumentMatch) map[string]bool {
	terms := map[string]bool{}
	for _, field := range []string{fieldHeadings, fieldHeadingPlain} {
		for term := range hit.Locations[field] {
			terms[term] = true
		}
	}
	return terms
}

// matchesHeading counts the words of a heading that matched.
func matchesHeading(heading string, terms map[string]bool) int {
	if len(terms) == 0 || heading == "" {
		return 0
	}
	count := 0
	for _, stemming := range []bool{true, false} {
		here := 0
		for _, token := range newAnalyzer(stemming).Analyze([]byte(heading)) {
			if terms[string(token.Term)] {
				here++
			}
		}
		count = max(count, here)
	}
	return count
}

// excerptBytes is about how long an excerpt is.
const excerptBytes = 220

// excerpt cuts the part of a section around its densest matches, on word boundaries, and shifts the marks with it.
func excerpt(text string, spans []span) (string, [][2]int) {
	start := 0
	if len(spans) > 0 {
		best, bestCount := 0, 0
		for i := range spans {
			count := 0
			for j := i; j < len(spans) && spans[j].end-spans[i].start <= excerptBytes; j++ {
				count++
			}
			if count > bestCount {
				best, bestCount = i, count
			}
		}
		start = max(0, spans[best].start-excerptBytes/4)
	}
	start = wordStart(text, start)
	end := wordEnd(text, min(len(text), start+excerptBytes))

	// The lead and the newlines go, keeping offsets true: a newline becomes a space of the same length.
	cut := strings.NewReplacer("\n", " ", "\t", " ").Replace(text[start:end])
	trimmed := strings.TrimLeft(cut, " ")
	start += len(cut) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, " ")

	prefix := ""
	if strings.TrimSpace(text[:start]) != "" {
		prefix = "… "
	}
	suffix := ""
	if strings.TrimSpace(text[end:]) != "" {
		suffix = " …"
	}
	marks := [][2]int{}
	for _, s := range spans {
		if s.start < start || s.end > start+len(trimmed) {
			continue
		}
		mark := [2]int{s.start - start + len(prefix), s.end - start + len(prefix)}
		// What is written as one word is marked as one.
		if last := len(marks) - 1; last >= 0 && mark[0]-marks[last][1] <= maxSignsBetween &&
			!strings.ContainsFunc(text[s.start-(mark[0]-marks[last][1]):s.start], unicode.IsSpace) {
			marks[last][1] = mark[1]
			continue
		}
		marks = append(marks, mark)
	}
	return prefix + trimmed + suffix, marks
}

// wordStart moves a cut back to the start of a word, at most 40 bytes, and never into a character.
func wordStart(text string, at int) int {
	for back := at; back > 0 && at-back < 40; back-- {
		if text[back-1] == ' ' || text[back-1] == '\n' {
			return back
		}
	}
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// wordEnd moves a cut forward to the end of a word, at most 40 bytes, and never into a character.
func wordEnd(text string, at int) int {
	for forward := at; forward < len(text) && forward-at < 40; forward++ {
		if text[forward] == ' ' || text[forward] == '\n' {
			return forward
		}
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}
