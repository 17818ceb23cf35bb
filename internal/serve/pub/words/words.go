// Package words owns what published sites say by themselves, in each language: labels, messages, dates.
//
// A language is a file: {language}.json, named by its tag (BCP 47) and read when the program starts. To add a language,
// copy en.json under the new tag and translate its texts; nothing else names the languages. Every file has the keys of
// en.json, and every text the placeholders of the English one: %s and %d stand for what is told, in their order. Tests
// hold that. The key "content" is what the renderer adds to documents, "script" what the script of the pages says.
//
// notes/translation.json is apart: a page that is behind its original says so in the language of the page, and pages
// are written in more languages than the interface has.
package words

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/render"
)

//go:embed *.json notes/translation.json
var files embed.FS

// Words are what a site says by itself, in one language. A %s or %d stands for what is told in the page.
type Words struct {
	// Tag is the language for html elements (BCP 47).
	Tag string `json:"-"`

	SkipToContent, OpenNavigation, CloseNavigation, Pages                           string
	Site                                                                            id.Site
	More, Preview                                                                   string
	Search, SearchIn, Theme, Outline, OnThisPage, BackToTop, Breadcrumb             string
	CopyPage, AsMarkdown, PageActions, OpenIn, PagePDF, SpacePDF, EditPage, EditOn  string
	Previous, Next, PreviousAndNext, Listing, Updated                               string
	AllPages, Feed, Privacy, MadeWith, MoreBefore, MoreAfter, PagesIn               string
	Missing, MissingHint, MissingAsk, Suggestions                                   string
	OneMatch, Matches, NoMatch, StillReading                                        string
	OnePage, ManyPages, NoPages, Part, PreviousAndNextPart                          string
	Sections, Section, Version, LanguageSwitch                                      string
	LogOut, SignInToRead, ForKnown, NotCounted, SignIn                              string
	Announcement, Dismiss, Answers                                                  string
	Helpful, Yes, No, Thanks, TellMore, Send, CommentThanks, FeedbackFailed         string
	MakingPDF, MakingPDFHint, PDFProgress, PDFFailed, PDFBusy, TryAgain, BackToPage string
	Cookies, CookiesText, Accept, Refuse                                            string

	// Date is how a day is written, with {day}, {month} and {year}. Months are the names of the months in it.
	Date   string
	Months [12]string

	// Visit is what members read who look at the site as a visitor.
	Visit Visit
	// Content is what the renderer adds to documents.
	Content render.Labels
	// Block is what stands around blocks of integrations.
	Block Block
	// Script is what the script of the pages says, by the names in 1-base.js.
	Script map[string]string
}

// Block is what stands around blocks of integrations. Close, Cancel, Failed and Updated are said by their script.
type Block struct {
	Loading string `json:"loading"`
	Frame   string `json:"frame"`
	Finish  string `json:"finish"`
	Choose  string `json:"choose"`
	Cancel  string `json:"cancel"`
	Failed  string `json:"failed"`
	Updated string `json:"updated"`
	Close   string `json:"close"`
}

// ScriptJSON returns the words for the script of blocks.
func (b Block) ScriptJSON() string {
	encoded, err := json.Marshal(map[string]string{"cancel": b.Cancel, "failed": b.Failed, "updated": b.Updated,
		"close": b.Close})
	if err != nil {
		return "{}" // strings always encode
	}
	return string(encoded)
}

// Visit is what members read who look at a site as a visitor: on the page where they choose claims, in the note above
// every page, and in the list of what is hidden.
type Visit struct {
	Look, LookHint, NotAdaptive, NotThere, LookAt string
	Change, Hidden, Leave, AsNobody, AsVisitor    string
	OneHidden, ManyHidden, NothingHidden          string
	Section, Variant, HeaderLink, Page, PageAbove string
	ShownIf, Unreadable                           string
}

// TranslationNote is what a page says that is a translation behind its original.
type TranslationNote struct {
	// Stale says that the original is newer, Missing that the page is not translated yet; Original links to it.
	Stale, Missing, Original string
}

// Set is the words of all languages. It does not change.
type Set struct {
	languages map[string]*Words // by tag, in lower case
	notes     map[string]TranslationNote
}

// Load reads the words of all languages.
func Load() (*Set, error) {
	set := &Set{languages: map[string]*Words{}}
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("read words: %w", err)
	}
	for _, entry := range entries {
		tag, ok := strings.CutSuffix(entry.Name(), ".json")
		if !ok {
			continue
		}
		words := &Words{Tag: tag}
		if err := read(entry.Name(), words); err != nil {
			return nil, err
		}
		set.languages[strings.ToLower(tag)] = words
	}
	return set, read("notes/translation.json", &set.notes)
}

// read decodes a file, which may hold no name that is not known.
func read(name string, into any) error {
	text, err := files.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read words: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("read words in %s: %w", name, err)
	}
	return nil
}

// For returns the words of a site's locale. English is what nobody has chosen: content in another language that there
// are words for then has those.
func (s *Set) For(locale, language string) *Words {
	locale, language = strings.ToLower(locale), strings.ToLower(language)
	if locale == "" || locale == "en" {
		for _, tag := range []string{language, strings.SplitN(language, "-", 2)[0]} {
			if tag == "nb" || tag == "nn" {
				tag = "no"
			}
			if tag == "pt" {
				tag = "pt-br"
			}
			if found, ok := s.languages[tag]; ok {
				return found
			}
		}
	}
	if found, ok := s.languages[locale]; ok {
		return found
	}
	return s.languages["en"]
}

// TranslationNote returns what a page in a language says that is a translation behind its original; in English for a
// language that has no such note.
func (s *Set) TranslationNote(language string) TranslationNote {
	if note, ok := s.notes[language]; ok {
		return note
	}
	return s.notes["en"]
}

// Day writes a day.
func (w *Words) Day(t time.Time) string {
	return strings.NewReplacer("{day}", fmt.Sprint(t.Day()), "{month}", w.Months[t.Month()-1], "{year}",
		fmt.Sprint(t.Year())).Replace(w.Date)
}

// ScriptJSON is what the script says, as JSON. It is empty for English, which the script has itself.
func (w *Words) ScriptJSON() string {
	if w.Tag == "en" {
		return ""
	}
	encoded, err := json.Marshal(w.Script)
	if err != nil {
		return "" // texts always encode
	}
	return string(encoded)
}

// As says as whom a site is seen. Claims are those of the visitor, "" for none.
func (v *Visit) As(claims string) string {
	if claims == "" {
		return v.AsNobody
	}
	return fmt.Sprintf(v.AsVisitor, claims)
}

// Count says how many of something there are: one is said of one, none of none, and many of n.
func Count(n int, one, many, none string) string {
	switch n {
	case 0:
		return none
	case 1:
		return one
	}
	return fmt.Sprintf(many, n)
}

// Fill puts a text in the place of the %s of a word.
func Fill(word, text string) string { return strings.Replace(word, "%s", text, 1) }
