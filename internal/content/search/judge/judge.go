// Package judge owns what search is judged by: queries as people type them, each with the pages that it should find,
// texts that anybody can install, and the figures that come of it.
//
// The queries were written from the tables of contents and the pages, before any engine was asked. Every second one of
// a kind is held back: ranking is tuned with the others, and these are looked at when it is done.
package judge

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed queries/*.tsv queries/again/*.tsv
var files embed.FS

// Query is something to search for.
type Query struct {
	// Corpus names the texts: rust, manual, git, postgres, languages, or one of Later.
	Corpus string
	// Kind says how it was typed: keyword, question, typo, code, prefix, phrase, paraphrase for a question in other
	// words than the page has, or the name of a language.
	Kind string
	Text string
	// Pages are the ids of the pages that answer it.
	Pages []string
	// Held says that it was not used for tuning.
	Held bool
	// Later is which of Later it belongs to, from 1; 0 for texts that ranking was tuned with.
	Later int
	// Second says that it is a second query of two of its kind and texts.
	Second bool
}

// Set is queries that were written together, after ranking had been tuned, and before any engine was asked one of them.
type Set struct {
	// Texts are what they are about, when nobody had asked about these before; else they are about all texts of then.
	Texts []string
}

// Later are the sets in the order in which they came.
var Later = []Set{
	{[]string{"python", "sqlite"}},
	{[]string{"django", "fastify"}},
	{},
	{[]string{"apache", "node", "pytest"}},
	{[]string{"cmake", "sphinx"}},
}

// again is which of Later is about all texts, from 1.
var again = 1 + slices.IndexFunc(Later, func(s Set) bool { return len(s.Texts) == 0 })

// Queries returns all queries of some texts, of all when none are named.
func Queries(corpora ...string) ([]Query, error) {
	first, err := in("queries", corpora)
	if err != nil {
		return nil, err
	}
	second, err := in("queries/again", corpora)
	for i := range second {
		second[i].Later, second[i].Held = again, true
	}
	return append(first, second...), err
}

// in returns the queries of a folder.
func in(folder string, corpora []string) ([]Query, error) {
	entries, err := files.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var queries []Query
	for _, entry := range entries {
		corpus, written := strings.CutSuffix(entry.Name(), ".tsv")
		if !written || len(corpora) > 0 && !slices.Contains(corpora, corpus) {
			continue
		}
		content, err := files.ReadFile(path.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		number := map[string]int{}
		for line := range strings.Lines(string(content)) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(fields) != 3 {
				return nil, fmt.Errorf("%s: %q has not three fields", entry.Name(), line)
			}
			number[fields[0]]++
			later := 1 + slices.IndexFunc(Later, func(s Set) bool { return slices.Contains(s.Texts, corpus) })
			second := number[fields[0]]%2 == 0
			queries = append(queries, Query{Corpus: corpus, Kind: fields[0], Text: fields[1],
				Pages: strings.Fields(fields[2]), Held: later > 0 || second, Later: later, Second: second})
		}
	}
	return queries, nil
}

// Figures are how well some queries were answered.
type Figures struct {
	Queries int
	// MRR is the mean of one over the rank of the first right page among the first ten; Recall is the share of queries
	// that have one there.
	MRR, Recall float64
}

// Add counts an answer: the ids of the pages found, best first.
func (f *Figures) Add(q Query, found []string) {
	rank := Rank(q, found)
	f.Queries++
	share := 1 / float64(f.Queries)
	f.MRR -= f.MRR * share
	f.Recall -= f.Recall * share
	if rank > 0 {
		f.MRR += share / float64(rank)
		f.Recall += share
	}
}

// Rank is the place of the first right page among the first ten found, 0 for none.
func Rank(q Query, found []string) int {
	for i, page := range found[:min(len(found), 10)] {
		if slices.Contains(q.Pages, page) {
			return i + 1
		}
	}
	return 0
}
