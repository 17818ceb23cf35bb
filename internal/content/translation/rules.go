package translation

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// Limits of settings.
const (
	maxTitle        = 100
	maxLanguages    = 40
	maxInstructions = 64 << 10
	maxTerms        = 1000
	maxTerm         = 200
)

// untitled is the title of settings that were made without one.
const untitled = "Translation"

// Settings is the input of Create and Update: what is absent stays as it is.
type Settings struct {
	Title optional.Value[string]
	// Source names the space to translate and its language. It can be set once.
	Source optional.Value[Source]
	// Languages are all languages that the space is to be translated to.
	Languages    optional.Value[[]string]
	Instructions optional.Value[json.RawMessage]
	Glossary     optional.Value[[]Term]
	OnSites      optional.Value[bool]
}

// Source is a space and the language that it is written in.
type Source struct {
	Space    id.Space
	Language string
}

// apply returns the settings with a change. Languages are checked here and made by the service.
func (in Settings) apply(t Translation) (Translation, error) {
	var err error
	if title, ok := in.Title.Get(); ok {
		if t.Title, err = field.Text("title", title, 1, maxTitle); err != nil {
			return t, err
		}
	} else if in.Title.IsNull() {
		return t, errs.Invalidf("title", "may not be null; leave it out to keep it as it is")
	}
	if source, ok := in.Source.Get(); ok {
		if t.SourceSpace != "" && source.Space != t.SourceSpace {
			return t, errs.Conflictf(
				"The source of a translation cannot be changed; make another translation for the other space.")
		}
		if source.Space == "" {
			return t, errs.Invalidf("source.space", "is missing: give the id of the space to translate")
		}
		if err := space.CheckLanguage("source.language", source.Language); err != nil {
			return t, err
		}
		t.SourceSpace, t.SourceLanguage = source.Space, source.Language
	}
	if instructions, ok := in.Instructions.Get(); ok {
		if t.Instructions, err = checkInstructions(instructions); err != nil {
			return t, err
		}
	} else if in.Instructions.IsNull() {
		t.Instructions = emptyInstructions
	}
	if glossary, ok := in.Glossary.Get(); ok {
		if err := checkGlossary(glossary); err != nil {
			return t, err
		}
		t.Glossary = glossary
	} else if in.Glossary.IsNull() {
		t.Glossary = nil
	}
	if on, ok := in.OnSites.Get(); ok {
		t.OnSites = on
	}
	return t, nil
}

var emptyInstructions = json.RawMessage(`{"object":"document","data":{"schemaVersion":2},"nodes":[]}`)

func checkInstructions(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) > maxInstructions {
		return nil, errs.Invalidf("instructions", "have %d bytes of JSON; at most %d are accepted", len(raw),
			maxInstructions)
	}
	var d doc.Document
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, errs.Invalidf("instructions", "are no document: %v", err)
	}
	return raw, nil
}

func checkGlossary(terms []Term) error {
	if len(terms) > maxTerms {
		return errs.Invalidf("glossary", "has %d terms; at most %d are accepted", len(terms), maxTerms)
	}
	for i, term := range terms {
		path := "glossary[" + strconv.Itoa(i) + "]"
		if _, err := field.Text(path+".term", term.Term, 1, maxTerm); err != nil {
			return err
		}
		for language, text := range term.Translations {
			if err := space.CheckLanguage(path+".translations", language); err != nil {
				return err
			}
			if _, err := field.Text(path+".translations."+language, text, 1, maxTerm); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkLanguages refuses languages that the settings cannot have.
func checkLanguages(t Translation, languages []string) error {
	if len(languages) > maxLanguages {
		return errs.Invalidf("languages", "are %d; at most %d are accepted", len(languages), maxLanguages)
	}
	if len(languages) > 0 && t.SourceSpace == "" {
		return errs.Invalidf("source", "is missing: name the space to translate before its languages")
	}
	for i, language := range languages {
		path := "languages[" + strconv.Itoa(i) + "]"
		if err := space.CheckLanguage(path, language); err != nil {
			return err
		}
		if language == t.SourceLanguage {
			return errs.Invalidf(path, "%s is the language of the source", language)
		}
		if slices.Index(languages, language) < i {
			return errs.Invalidf(path, "%s is there twice", language)
		}
	}
	return nil
}

// languageNames are the names of languages in English, for titles and for machines.
var languageNames = map[string]string{
	"en": "English", "fr": "French", "de": "German", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
	"pt-br": "Brazilian Portuguese",
	"ru":    "Russian", "ja": "Japanese", "zh": "Chinese", "yue": "Cantonese", "ko": "Korean", "ar": "Arabic",
	"hi": "Hindi", "nl": "Dutch",
	"pl": "Polish", "tr": "Turkish", "sv": "Swedish", "no": "Norwegian", "da": "Danish", "fi": "Finnish", "el": "Greek",
	"cs": "Czech",
	"hu": "Hungarian", "ro": "Romanian", "th": "Thai", "vi": "Vietnamese", "id": "Indonesian", "ms": "Malay",
	"he": "Hebrew",
	"uk": "Ukrainian", "sk": "Slovak", "bg": "Bulgarian", "hr": "Croatian", "lt": "Lithuanian", "lv": "Latvian",
	"et": "Estonian", "sl": "Slovenian",
}
