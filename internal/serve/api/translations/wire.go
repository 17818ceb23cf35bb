package translations

import (
	"encoding/json"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Translation is the settings of a translation. It has the fields of the settings of several languages and those of a
// translation to one language, which is the first of them.
type Translation struct {
	Object       string                 `json:"object" enum:"translation-settings"`
	ID           id.Translation         `json:"id"`
	Title        string                 `json:"title"`
	Status       string                 `json:"status" enum:"pending,running,completed" doc:"Whether the variants have followed the source."`
	Source       *TranslationSource     `json:"source,omitempty" doc:"Absent while none is named."`
	Language     string                 `json:"language,omitempty" doc:"The first of the languages."`
	Languages    []string               `json:"languages"`
	Instructions json.RawMessage        `json:"instructions" doc:"A document."`
	Glossary     []TranslationTerm      `json:"glossary"`
	OnSites      bool                   `json:"onSites"`
	Result       *TranslationResult     `json:"result,omitempty" doc:"The variant of the first language."`
	CreatedAt    string                 `json:"createdAt" format:"date-time"`
	UpdatedAt    string                 `json:"updatedAt" format:"date-time"`
	Stats        TranslationStats       `json:"stats" doc:"What machines have translated; durations are in milliseconds."`
	Permissions  TranslationPermissions `json:"permissions"`
	URLs         TranslationURLs        `json:"urls"`
}

// TranslationSource is a space and the language that it is written in.
type TranslationSource struct {
	Space    id.Space `json:"space"`
	Language string   `json:"language"`
}

// TranslationTerm is an entry of a glossary.
type TranslationTerm struct {
	Term         string            `json:"term" minLength:"1" maxLength:"200"`
	Translations map[string]string `json:"translations,omitempty" doc:"By language; where there is none the word stays."`
}

// TranslationResult is a variant.
type TranslationResult struct {
	Space    id.Space    `json:"space"`
	Revision id.Revision `json:"revision"`
	Language string      `json:"language"`
}

// TranslationStats count what machines have translated.
type TranslationStats struct {
	Runs              int64 `json:"runs"`
	TotalWords        int64 `json:"totalWords"`
	TotalPages        int64 `json:"totalPages"`
	TotalDuration     int64 `json:"totalDuration"`
	LatestRunDuration int64 `json:"latestRunDuration"`
	LatestPages       int64 `json:"latestPages"`
	LatestWords       int64 `json:"latestWords"`
}

// TranslationPermissions say what the caller may do with a translation.
type TranslationPermissions struct {
	View bool `json:"view"`
	Edit bool `json:"edit"`
}

// TranslationURLs are a translation's addresses.
type TranslationURLs struct {
	Location string `json:"location" format:"uri"`
}

// TranslationLanguage is a language of a translation.
type TranslationLanguage struct {
	Object         string             `json:"object" enum:"translation-language"`
	Language       string             `json:"language"`
	Space          id.Space           `json:"space" doc:"The variant."`
	Status         string             `json:"status" enum:"pending,running,completed,failed" doc:"Whether the variant has followed its source."`
	Error          string             `json:"error,omitempty" doc:"Why it could not."`
	Progress       ProgressCounts     `json:"progress"`
	ChangeRequest  id.ChangeRequest   `json:"changeRequest,omitempty" doc:"The open change request that changes go to."`
	SourceRevision id.Revision        `json:"sourceRevision" doc:"The revision of the source that the variant has followed."`
	Counts         TranslationCounts  `json:"counts"`
	Machine        TranslationMachine `json:"machine"`
	UpdatedAt      string             `json:"updatedAt" format:"date-time"`
	URLs           TranslationURLs    `json:"urls"`
}

// ProgressCounts say how far something is.
type ProgressCounts struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// TranslationCounts add up the states of texts.
type TranslationCounts struct {
	Pages           int `json:"pages"`
	Translated      int `json:"translated"`
	Stale           int `json:"stale"`
	Missing         int `json:"missing"`
	Machine         int `json:"machine" doc:"Translated texts that a machine has written and no person has looked at."`
	Words           int `json:"words" doc:"Words of the source."`
	WordsTranslated int `json:"wordsTranslated"`
}

// TranslationMachine says how a run of machine translation is going, or how the last one went.
type TranslationMachine struct {
	Status string `json:"status" enum:"none,pending,running,completed,failed"`
	Done   int    `json:"done"`
	Total  int    `json:"total"`
	Failed int    `json:"failed" doc:"Texts whose translation could not be used; they stay as they were."`
	Error  string `json:"error,omitempty"`
}

// TranslationPage is a page, or a reusable content, and the states of its texts.
type TranslationPage struct {
	Object          string              `json:"object" enum:"translation-page"`
	Page            string              `json:"page" doc:"The same id in the source and in the variant."`
	Kind            string              `json:"kind" enum:"document,group,link,computed,reusable-content"`
	Title           string              `json:"title" doc:"In the source."`
	Translated      int                 `json:"translated"`
	Stale           int                 `json:"stale"`
	Missing         int                 `json:"missing"`
	Machine         int                 `json:"machine"`
	Words           int                 `json:"words"`
	WordsTranslated int                 `json:"wordsTranslated"`
	Live            TranslationPageLive `json:"live" doc:"The same of the main content, which readers see."`
}

// TranslationPageLive are the states of a page's texts in the main content.
type TranslationPageLive struct {
	Translated int `json:"translated"`
	Stale      int `json:"stale"`
	Missing    int `json:"missing"`
}

// TranslationSegment is a text of a page.
type TranslationSegment struct {
	Object        string               `json:"object" enum:"translation-segment"`
	ID            string               `json:"id"`
	Page          string               `json:"page"`
	Kind          string               `json:"kind" doc:"The block, or the field, that the text is of."`
	Source        string               `json:"source"`
	Target        string               `json:"target" doc:"What the variant has; the source text where a translation is missing."`
	State         string               `json:"state" enum:"translated,stale,missing"`
	Origin        string               `json:"origin,omitempty" enum:"source,carried,human,import,machine" doc:"Where the target is from."`
	Placeholders  []SegmentPlaceholder `json:"placeholders"`
	ChangeRequest id.ChangeRequest     `json:"changeRequest,omitempty" doc:"Where a translation has gone."`
}

// SegmentPlaceholder is what a placeholder stands for.
type SegmentPlaceholder struct {
	Number int    `json:"number"`
	Pair   bool   `json:"pair"`
	Before string `json:"before" doc:"Markdown."`
	After  string `json:"after,omitempty" doc:"Markdown that closes it."`
}

func (h *Handlers) translationURL(organization id.Organization, id id.Translation) string {
	return h.Wire.BaseURL + "/v1/orgs/" + string(organization) + "/translations/" + string(id)
}

func (h *Handlers) wireTranslation(t translation.Translation) Translation {
	answer := Translation{
		Object: "translation-settings", ID: t.ID, Title: t.Title, Status: "completed", Languages: []string{},
		Instructions: t.Instructions, Glossary: []TranslationTerm{},
		OnSites: t.OnSites, CreatedAt: wire.Timestamp(t.CreatedAt), UpdatedAt: wire.Timestamp(t.UpdatedAt),
		Stats:       TranslationStats(t.Stats),
		Permissions: TranslationPermissions(t.Permissions),
		URLs:        TranslationURLs{Location: h.translationURL(t.Organization, t.ID)},
	}
	if t.SourceSpace != "" {
		answer.Source = &TranslationSource{Space: t.SourceSpace, Language: t.SourceLanguage}
	}
	for _, term := range t.Glossary {
		answer.Glossary = append(answer.Glossary, TranslationTerm(term))
	}
	for i, l := range t.Languages {
		answer.Languages = append(answer.Languages, l.Code)
		switch {
		case l.State == translation.Running:
			answer.Status = "running"
		case l.State == translation.Pending && answer.Status != "running":
			answer.Status = "pending"
		}
		if i == 0 {
			answer.Language = l.Code
			if l.Target != "" {
				answer.Result = &TranslationResult{Space: l.Space, Revision: l.Target, Language: l.Code}
			}
		}
	}
	return answer
}

func (h *Handlers) wireTranslationLanguage(organization id.Organization) func(
	translation.Language) TranslationLanguage {
	return func(l translation.Language) TranslationLanguage {
		answer := TranslationLanguage{
			Object: "translation-language", Language: l.Code, Space: l.Space, Status: string(l.State), Error: l.Error,
			Progress: ProgressCounts{Done: l.Done, Total: l.Total}, ChangeRequest: l.ChangeRequest,
			SourceRevision: l.Source,
			Counts:         TranslationCounts(l.Counts), UpdatedAt: wire.Timestamp(l.UpdatedAt),
			Machine: TranslationMachine{Status: string(l.Machine.State), Done: l.Machine.Done, Total: l.Machine.Total,
				Failed: l.Machine.Failed, Error: l.Machine.Error},
			URLs: TranslationURLs{Location: h.translationURL(organization, l.Translation) + "/languages/" + l.Code},
		}
		if answer.Machine.Status == "" {
			answer.Machine.Status = "none"
		}
		return answer
	}
}

func wireTranslationPage(p translation.Page) TranslationPage {
	return TranslationPage{
		Object: "translation-page", Page: p.Entry, Kind: p.Kind, Title: p.Title, Translated: p.Translated,
		Stale: p.Stale, Missing: p.Missing,
		Machine: p.Machine, Words: p.Words, WordsTranslated: p.WordsTranslated,
		Live: TranslationPageLive{Translated: p.MainTranslated, Stale: p.MainStale, Missing: p.MainMissing},
	}
}

func wireTranslationSegment(g translation.Segment) TranslationSegment {
	wire := TranslationSegment{
		Object: "translation-segment", ID: g.ID, Page: g.Entry, Kind: g.Kind, Source: g.Source.Text, Target: g.Target,
		State:  string(g.State),
		Origin: string(g.Origin), Placeholders: []SegmentPlaceholder{},
	}
	for i, code := range g.Source.Codes {
		before, after := g.Source.Markdown(i + 1)
		wire.Placeholders = append(wire.Placeholders, SegmentPlaceholder{Number: i + 1, Pair: code.Pair, Before: before,
			After: after})
	}
	return wire
}
