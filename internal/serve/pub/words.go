package pub

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/engine/render"
)

// words are what a site says by itself, in one language. A %s or %d stands for what is told in the page.
type words struct {
	// Tag is the language for html elements, "" in the language of the content.
	Tag string

	SkipToContent, OpenNavigation, CloseNavigation, Pages, Site, More, Preview      string
	Search, SearchIn, DarkTheme, Outline, OnThisPage, BackToTop, Breadcrumb         string
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

	// Date is how a day is written: {day}, {month}, {year}; Months are the names in it.
	Date   string
	Months string

	// Visit is what members read who look at the site as a visitor.
	Visit visitWords

	script map[string]string // what the script says; see labels in 1-base.js
	render render.Labels
}

// wordsFor returns the words of a locale. English is what nobody has chosen: content in another language that there are
// words for then has those.
func wordsFor(locale, language string) *words {
	locale, language = strings.ToLower(locale), strings.ToLower(language)
	if locale == "" || locale == "en" {
		for _, tag := range []string{language, strings.SplitN(language, "-", 2)[0]} {
			if tag == "nb" || tag == "nn" {
				tag = "no"
			}
			if tag == "pt" {
				tag = "pt-br"
			}
			if found, ok := languages[tag]; ok {
				return found
			}
		}
	}
	if found, ok := languages[locale]; ok {
		return found
	}
	return languages["en"]
}

// date writes a day.
func (w *words) date(t time.Time) string {
	months := strings.Split(w.Months, " ")
	return strings.NewReplacer("{day}", fmt.Sprint(t.Day()), "{month}", months[t.Month()-1], "{year}",
		fmt.Sprint(t.Year())).Replace(w.Date)
}

// count says how many of something there are.
func (w *words) count(n int, one, many, none string) string {
	switch n {
	case 0:
		return none
	case 1:
		return one
	}
	return fmt.Sprintf(many, n)
}

// forScript is what the script says as JSON, "" where that is English, which it knows.
func (w *words) forScript() string {
	if w.script == nil {
		return ""
	}
	encoded, err := json.Marshal(w.script)
	if err != nil {
		return "" // texts always encode
	}
	return string(encoded)
}

// scriptKeys are the names of the script's words, in the order of the tables below.
var scriptKeys = strings.Fields("copy copied failed close filter noRows search empty tryAgain error errorHint start " +
	"recent clear one many diagram toMove toOpen toClose")

// scriptWords reads a table of the script's words, a line each.
func scriptWords(table string) map[string]string {
	texts := strings.Split(strings.TrimSpace(table), "\n")
	said := make(map[string]string, len(scriptKeys))
	for i, key := range scriptKeys {
		said[key] = strings.TrimSpace(texts[i])
	}
	return said
}
