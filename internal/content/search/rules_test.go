package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// book fills a space with pages: titles and bodies in turns.
func (w *world) book(texts ...string) id.Space {
	w.t.Helper()
	space := w.space()
	positions := entity.Positions(len(texts) / 2)
	var puts []store.Put
	for i := 0; i < len(texts); i += 2 {
		puts = append(puts, store.Put{Entry: page(id.New("page"), "", positions[i/2], texts[i]),
			Body: []byte(texts[i+1])})
	}
	w.put(space, puts...)
	return space
}

const filler = "\n\nThis is what else there is to say about it, at some length, so that no page is only a word or two. "

// TestRulesOfRanking holds what of several pages comes first, and which are found at all.
func TestRulesOfRanking(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		space := w.book(
			"Installation",
			"## Linux and macOS\n\nDownload the toolchain, run its script. It installs the compiler."+filler,
			"Compiler flags", "The compiler has flags. Flags of the compiler are many. A flag is set once."+filler,
			"Networking", "A socket listens on a port. A firewall lets it through; a compiler flag does not."+filler,
			"Releases", "What changed: the firewall, the socket, the toolchain, the script, the flag, and more."+filler,
			"Closures", "A closure captures what is around it. Call `unwrap_or_else` with one."+filler,
			"Collections", "Use `HashMap::entry` to insert. A `Vec<T>` grows; `--no-verify` skips hooks."+filler,
			"Vectors", "A vector keeps values next to each other. Vectors grow."+filler,
			"Fast forward", "The branch moves on: a fast-forward merge. Nothing else is done fast or forward."+filler,
			"Forward and fast", "Going forward is what is fast here."+filler,
			"Hidden words", "A page was hidden, and somebody wrote it."+filler,
		)
		for _, test := range []struct {
			rule, query string
			first       []string // what comes first, in order
			lacks       bool     // no page has all
		}{
			{"all words come before most words", "firewall socket toolchain", []string{"Releases"}, false},
			{"most words are enough", "port aardvark", []string{"Networking"}, true},
			{"a title comes before a text", "flags", []string{"Compiler flags"}, false},
			{"a heading comes before a text", "linux", []string{"Installation"}, false},
			{"a question", "how do i install the toolchain on linux", []string{"Installation"}, false},
			{"a question, otherwise", "how can I get my compiler installed please", []string{"Installation"}, false},
			{"stop words alone are words", "what else there is", nil, false},
			{"a letter too few", "closres", []string{"Closures"}, false},
			{"a letter too many", "clossures", []string{"Closures"}, false},
			{"the first letter", "klosures", []string{"Closures"}, false},
			{"the first letter of a short word", "bector", []string{"Vectors"}, false},
			{"letters exchanged", "vetcor", []string{"Vectors"}, false},
			{"the first letters exchanged", "evctor", []string{"Vectors"}, false},
			{"two typos in a long word", "instalaltoin", []string{"Installation"}, false},
			{"a typo beside a right word", "compiler falgs", []string{"Compiler flags"}, false},
			{"a typo in an unfinished word", "netwrok", []string{"Networking"}, false},
			{"as it is typed", "netw", []string{"Networking"}, false},
			{"as it is typed, behind another word", "compiler fl", []string{"Compiler flags"}, false},
			{"a phrase", `"fast-forward merge"`, []string{"Fast forward"}, false},
			{"a phrase in its order", `"forward is what"`, []string{"Forward and fast"}, false},
			{"a name of code", "unwrap_or_else", []string{"Closures"}, false},
			{"the beginning of one", "unwrap_or", []string{"Closures"}, false},
			{"a part of one", "unwrap", []string{"Closures"}, false},
			{"a path of code", "HashMap::entry", []string{"Collections"}, false},
			{"the words of a name", "hash map", []string{"Collections"}, false},
			{"an option", "--no-verify", []string{"Collections"}, false},
			{"a generic type", "Vec<T>", []string{"Collections"}, false},
			{"irregular forms", "hide", []string{"Hidden words"}, false},
			{"irregular forms, the other way", "write", []string{"Hidden words"}, false},
		} {
			t.Run(test.rule, func(t *testing.T) {
				found := w.find(test.query, space)
				got := titles(found)
				if len(got) == 0 {
					t.Fatalf("%q finds nothing", test.query)
				}
				if diff := cmp.Diff(test.first, got[:min(len(got), len(test.first))]); diff != "" && test.first != nil {
					t.Errorf("%q (-want +got): %s\nfound %v", test.query, diff, got)
				}
				if found.Closest != test.lacks || found.Pages[0].Lacks != test.lacks {
					t.Errorf("%q: closest is %t, the first page lacks words: %t", test.query, found.Closest,
						found.Pages[0].Lacks)
				}
			})
		}
		if found := w.find(`"merge fast-forward"`, space); !found.Closest || len(found.Pages) == 0 {
			t.Errorf("a phrase that is nowhere: %+v", titles(found))
		}
		if found := w.find("compiler falgs", space); found.Suggestion != "compiler flags" {
			t.Errorf("the suggestion is %q", found.Suggestion)
		}
		if found := w.find("compiler flags", space); found.Suggestion != "" {
			t.Errorf("for right words the suggestion is %q", found.Suggestion)
		}
	})
}

// TestLanguages holds that words are found in their other forms by the language of their page, without their accents,
// and that its stop words are none to look for.
func TestLanguages(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.book(
		"Häuser und Gärten", "Die Häuser sind alt, und die Gärten sind nicht groß. Das ist die Stadt.",
		"Verschlüsselung", "Eine Datei wird mit einem Schlüssel verschlüsselt. Das ist nicht schwer.",
		"Les chevaux", "Les chevaux sont dans la prairie. Il faut les nourrir, et ce n'est pas facile.",
		"Configuración", "Los usuarios configuran el sistema. Es una tarea que no es difícil para los que la hacen.",
		"Установка", "Программы устанавливаются на компьютер. Это не так сложно, как может показаться.",
		"Ownership", "The owner of a value is the variable that holds it, and it is the only one that may change it.",
		"所有权", "所有权是最独特的功能。它保证内存安全。", "所有権とは", "所有権は最も独特な機能です。メモリ安全性を保証します。",
	)
	for query, want := range map[string]string{
		"haus": "Häuser und Gärten", "garten": "Häuser und Gärten", "wo ist der garten": "Häuser und Gärten",
		"verschlusselung": "Verschlüsselung", "schlüssel": "Verschlüsselung", "cheval prairies": "Les chevaux",
		"configurar": "Configuración", "configuracion": "Configuración",
		"cómo se configura el sistema": "Configuración",
		"программа":                    "Установка", "owners": "Ownership", "内存安全": "所有权", "メモリ安全性": "所有権とは",
	} {
		if got := titles(w.find(query, space)); len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %v, want %s first", query, got, want)
		}
	}
}

// TestWhatIsHiddenSaysNothing holds that pages which a reader may not see change neither the order nor the scores of
// those that they may, and that no word of them is suggested or completes one.
func TestWhatIsHiddenSaysNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		shown := []string{
			"Harbour", "Ships wait in the harbour. A pilot helps." + filler,
			"Lighthouse", "A pilot sees the lighthouse and the harbour from afar." + filler,
			"Tides", "The tide rises and falls, twice a day. Ships wait for it." + filler,
		}
		alone, beside := w.book(shown...), w.space()
		var puts []store.Put
		positions := entity.Positions(60)
		for i := 0; i < len(shown); i += 2 {
			puts = append(puts, store.Put{Entry: page(id.New("page"), "", positions[i/2], shown[i]),
				Body: []byte(shown[i+1])})
		}
		without := map[id.Space][]string{}
		for i := range 40 {
			entry := page(id.New("page"), "", positions[10+i], "Secret")
			switch i % 2 {
			case 0:
				entry.Hidden = true
			default:
				without[beside] = append(without[beside], entry.ID)
			}
			puts = append(puts, store.Put{Entry: entry,
				Body: []byte(strings.Repeat("pilot harbourmaster tidewater kraken ", 1+i%5) + filler)})
		}
		w.put(beside, puts...)
		ask := func(space id.Space, text string) search.Result {
			found, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: text, Limit: 10,
				Published: true, Without: without})
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		for _, text := range []string{"pilot", "harbour pilot", "ships", "harb", "ti", "tide", "harbourmaster",
			"kraken", "krakne", "karken", "harbuor", "tidewaters", "pilot kraken", `"harbourmaster tidewater"`,
			"secret", "secert"} {
			with, bare := ask(beside, text), ask(alone, text)
			if diff := cmp.Diff(titles(bare), titles(with)); diff != "" {
				t.Errorf("%q (-without hidden pages +with):\n%s", text, diff)
			}
			if with.Total != bare.Total || with.Suggestion != bare.Suggestion || with.Closest != bare.Closest {
				t.Errorf("%q: %d, %q, %t beside hidden pages, %d, %q, %t without", text, with.Total, with.Suggestion,
					with.Closest, bare.Total, bare.Suggestion, bare.Closest)
			}
			for i, hit := range with.Pages {
				if i < len(bare.Pages) && hit.Score != bare.Pages[i].Score {
					t.Errorf("%q: the score of %s is %v beside hidden pages, %v without", text, hit.Title, hit.Score,
						bare.Pages[i].Score)
				}
			}
			if slices.ContainsFunc(with.Pages, func(hit search.PageHit) bool { return hit.Title == "Secret" }) {
				t.Errorf("%q finds a hidden page", text)
			}
		}
	})
}

// TestATypoThatAPageHas holds that a word on next to no page also finds the one that it may be a typo of, when far more
// pages have that, and that a rare word beside one that is no more frequent is taken as it is.
func TestATypoThatAPageHas(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	texts := []string{"Vacuum", "It frees what is not used." + filler, "Changes",
		"In version 2 vaccum is quicker." + filler, "Dissect", "Cut it up." + filler, "Bisects", "Halve it." + filler}
	for i := range 32 {
		texts = append(texts, "Page "+string(rune('A'+i)), "Then vacuum it."+filler)
	}
	space := w.book(texts...)
	for _, test := range []struct {
		query, suggestion string
		has               []string
	}{{"vaccum", "vacuum", []string{"Vacuum", "Changes"}}, {"dissect", "", []string{"Dissect"}}} {
		found, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: test.query, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, page := range found.Pages {
			titles = append(titles, page.Title)
		}
		for _, title := range test.has {
			if !slices.Contains(titles, title) {
				t.Errorf("%q finds %q, without %q", test.query, titles, title)
			}
		}
		if found.Suggestion != test.suggestion || test.suggestion == "" && len(titles) != len(test.has) {
			t.Errorf("%q finds %q and suggests %q", test.query, titles, found.Suggestion)
		}
	}
}

// TestAQualifiedName holds that the page that is called as the first part of a name comes before one that has more of
// it.
func TestAQualifiedName(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	texts := []string{"typing", "`collections.OrderedDict` and `collections.OrderedDict`." + strings.Repeat(filler, 4),
		"collections", "## Kinds\n\nA `collections.OrderedDict` keeps its order." + strings.Repeat(filler, 4)}
	for i := range 24 {
		texts = append(texts, "Page "+string(rune('A'+i)), "Nothing."+filler)
	}
	space := w.book(texts...)
	found, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space},
		Text: "collections.OrderedDict", Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Pages) != 2 || found.Pages[0].Title != "collections" {
		t.Errorf("%+v", found.Pages)
	}
}

// TestHeadings holds that a page which describes what was asked for below a heading of its own comes before pages that
// only use it, however long the page is, and that the words have to begin the heading in their order.
func TestHeadings(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	var directives strings.Builder
	for i := range 200 {
		fmt.Fprintf(&directives, "## Directive%d of the core\n\nSets it."+filler+"\n\n", i)
	}
	texts := []string{
		"Core", directives.String() + "## AllowOverride Directive\n\nSays what files may change." + filler +
			"\n\n## Class: Options.Resolver\n\nOne of them." + filler,
		"Tutorial", "Set `AllowOverride` here. Then set `AllowOverride` there, and `Options.Resolver` again." + filler,
		"Questions", "## What is merged by strategies\n\nMerge strategies, and more merge strategies." + filler,
		"Choices", "Says how." + filler + "\n\n## Merge strategies\n\nThere are two." + filler,
	}
	for i := range 24 {
		texts = append(texts, "Page "+string(rune('A'+i)), "Nothing, merged or not, by strategies."+filler)
	}
	space := w.book(texts...)
	for query, want := range map[string]string{"AllowOverride": "Core", "Options.Resolver": "Core",
		"merge strategies": "Choices"} {
		if got := titles(w.find(query, space)); len(got) < 2 || got[0] != want {
			t.Errorf("%q finds %q, want %q first", query, got, want)
		}
	}
}

// TestAnUnfinishedWord holds that words which a last one begins count as much when it is no word itself but for its
// stem.
func TestAnUnfinishedWord(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	texts := []string{"Fuzzystrmatch", "Compares strings." + filler,
		"Indexes", "Some are fuzzy. A fuzzy one is quick, a fuzzier one is not." + filler}
	for i := range 24 {
		texts = append(texts, "Page "+string(rune('A'+i)), "Nothing."+filler)
	}
	space := w.book(texts...)
	if got := titles(w.find("fuzzys", space)); len(got) != 2 || got[0] != "Fuzzystrmatch" {
		t.Errorf("fuzzys finds %q", got)
	}
}

// TestEverydayWords holds that in a question, words that ask about anything count less than those that it is about,
// however seldom the pages have them, and that they are words like others where each word is meant.
func TestEverydayWords(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	texts := []string{"History",
		"I think that nobody should have to wonder before they decide, and I really hope that people agree." + filler,
		"Releases", "Publish a plugin when its tests pass. A plugin has a name." + filler,
		"Wonders", "Seven of them." + filler}
	for i := range 24 {
		texts = append(texts, "Page "+string(rune('A'+i)), "A plugin is loaded here."+filler)
	}
	space := w.book(texts...)
	for query, want := range map[string]string{
		"what should i think about and decide before i publish a plugin": "Releases",
		"wonder": "Wonders", "think wonder decide": "History", "what should people think": "History",
	} {
		found := w.find(query, space)
		if len(found.Pages) == 0 || found.Pages[0].Title != want {
			t.Errorf("%q finds %q, want %q first", query, titles(found), want)
		}
	}
	if found := w.find("how do people publish a plugin", space); found.Closest || found.Pages[0].Lacks {
		t.Errorf("a page with all that a question is about lacks words: %+v", found.Pages[0])
	}
}

// TestNumbersOfVersions holds that what is called v4 is found as version 4.
func TestNumbersOfVersions(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	texts := []string{"Upgrade to V4", "From v3 on." + filler, "Upgrade to V5", "From v4 on." + filler,
		"Upgrades", "Read what has changed when you upgrade, and count to four." + filler}
	for i := range 12 {
		texts = append(texts, "Page "+string(rune('A'+i)), "Answers begin with 4 or 5."+filler)
	}
	space := w.book(texts...)
	for _, query := range []string{"how do i upgrade from version 4 to 5", "upgrade to v5", "upgrade to 5"} {
		if got := titles(w.find(query, space)); len(got) == 0 || got[0] != "Upgrade to V5" {
			t.Errorf("%q finds %q", query, got)
		}
	}
}

// TestBeginningsOfMostPages holds that of more words than are searched for, a beginning stands for those that most
// pages have, wherever they are in the alphabet, also once the library has merged pieces of the index.
func TestBeginningsOfMostPages(t *testing.T) {
	var rare strings.Builder
	for a := 'a'; a < 'h'; a++ {
		for b := 'a'; b < 'q'; b++ {
			rare.WriteString("qux" + string(a) + string(b) + " ")
		}
	}
	index, err := search.OpenGenerated(t.TempDir() + "/index")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{rare.String(), "a quxzz", "the quxzz"} {
		if err := index.Add([][]string{{"Page", "Heading\n" + text}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := index.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	total, err := index.Find(t.Context(), "qux")
	if err != nil {
		t.Fatal(err)
	}
	if total != 3 {
		t.Errorf("%d pages were found, want the one with rare words and the two with the frequent one", total)
	}
	if err := index.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestWordsInCapitalsAreMeant holds that a stop word in capitals has to be on a page, unless all of a sentence is in
// capitals.
func TestWordsInCapitalsAreMeant(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.book(
		"Rowid", "Each row has a rowid. The rowid is a number, and no other row has that number."+filler,
		"Tables", "A table without rowid has a key in its place."+filler,
	)
	for _, test := range []struct {
		query, first string
		lacks        []bool
	}{
		{"without rowid", "Rowid", []bool{false, false}},
		{"WITHOUT ROWID", "Tables", []bool{false}},
		{"WITHOUT rowid", "Tables", []bool{false}},
		{"THE ROWID IS WITHOUT A NUMBER", "Rowid", []bool{false}},
	} {
		found := w.find(test.query, space)
		var lacks []bool
		for _, each := range found.Pages {
			lacks = append(lacks, each.Lacks)
		}
		if got := titles(found); len(got) == 0 || got[0] != test.first || !slices.Equal(lacks, test.lacks) {
			t.Errorf("%q finds %v, which lack words: %v", test.query, got, lacks)
		}
	}
}
