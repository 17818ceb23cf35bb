package translations

import (
	"context"
	"encoding/json"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listTranslationsInput struct {
	wire.PageParams
	Organization id.Organization `path:"organizationId"`
}

// listTranslations lists the translations of an organization.
func (h *Handlers) listTranslations(ctx context.Context,
	in *listTranslationsInput) (*operation.Body[wire.List[Translation]], error) {
	name := "translations/" + string(in.Organization)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := h.Translations.List(ctx, operation.Caller(ctx), in.Organization, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[Translation]]{Body: *wire.Listed(h.Lists, name, found, h.wireTranslation)}, nil
}

// TranslationInput is the body of creating and changing a translation.
type TranslationInput struct {
	Title        *string            `json:"title,omitempty" minLength:"1" maxLength:"100"`
	Source       *TranslationSource `json:"source,omitempty" doc:"The space to translate. It can be set once."`
	Languages    *[]string          `json:"languages,omitempty" maxItems:"40" doc:"All languages to translate to."`
	Language     *string            `json:"language,omitempty" doc:"One language to translate to; languages has the same and more."`
	Instructions *any               `json:"instructions,omitempty" doc:"A document for whoever translates, machines too."`
	Glossary     *[]TranslationTerm `json:"glossary,omitempty" maxItems:"1000"`
	OnSites      *bool              `json:"onSites,omitempty" doc:"Put each variant on the sites that show the source; true when it is not given."`
}

// settings turns the body into those of the domain.
func (in TranslationInput) settings(raw json.RawMessage) translation.Settings {
	var s translation.Settings
	if in.Title != nil {
		s.Title = optional.Of(*in.Title)
	}
	if in.Source != nil {
		s.Source = optional.Of(translation.Source(*in.Source))
	}
	switch {
	case in.Languages != nil:
		s.Languages = optional.Of(*in.Languages)
	case in.Language != nil:
		s.Languages = optional.Of([]string{*in.Language})
	}
	if in.Instructions != nil {
		s.Instructions = optional.Of(raw)
	}
	if in.Glossary != nil {
		terms := make([]translation.Term, len(*in.Glossary))
		for i, term := range *in.Glossary {
			terms[i] = translation.Term(term)
		}
		s.Glossary = optional.Of(terms)
	}
	if in.OnSites != nil {
		s.OnSites = optional.Of(*in.OnSites)
	}
	return s
}

// instructions encodes the document of a body again.
func (in TranslationInput) instructions() (json.RawMessage, error) {
	if in.Instructions == nil {
		return nil, nil
	}
	return json.Marshal(*in.Instructions)
}

type createTranslationInput struct {
	Organization id.Organization `path:"organizationId"`
	Body         TranslationInput
}

// createTranslation makes a translation.
func (h *Handlers) createTranslation(ctx context.Context,
	in *createTranslationInput) (*operation.Created[Translation], error) {
	raw, err := in.Body.instructions()
	if err != nil {
		return nil, err
	}
	created, err := h.Translations.Create(ctx, operation.Caller(ctx), in.Organization, in.Body.settings(raw))
	if err != nil {
		return nil, err
	}
	wire := h.wireTranslation(created)
	return &operation.Created[Translation]{Location: wire.URLs.Location, Body: wire}, nil
}

// TranslationParams name a translation.
type TranslationParams struct {
	Organization id.Organization `path:"organizationId"`
	Translation  id.Translation  `path:"translationSettingsId"`
}

// getTranslation answers one translation.
func (h *Handlers) getTranslation(ctx context.Context, in *TranslationParams) (*operation.Body[Translation], error) {
	found, err := h.Translations.Get(ctx, operation.Caller(ctx), in.Organization, in.Translation)
	if err != nil {
		return nil, err
	}
	return &operation.Body[Translation]{Body: h.wireTranslation(found)}, nil
}

type updateTranslationInput struct {
	TranslationParams
	Body TranslationInput
}

// updateTranslation changes a translation.
func (h *Handlers) updateTranslation(ctx context.Context,
	in *updateTranslationInput) (*operation.Body[Translation], error) {
	raw, err := in.Body.instructions()
	if err != nil {
		return nil, err
	}
	after, err := h.Translations.Update(ctx, operation.Caller(ctx), in.Organization, in.Translation,
		in.Body.settings(raw))
	if err != nil {
		return nil, err
	}
	return &operation.Body[Translation]{Body: h.wireTranslation(after)}, nil
}

// deleteTranslation removes a translation.
func (h *Handlers) deleteTranslation(ctx context.Context, in *TranslationParams) (*operation.Nothing, error) {
	if err := h.Translations.Delete(ctx, operation.Caller(ctx), in.Organization, in.Translation); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

// listTranslationLanguages lists the languages of a translation.
func (h *Handlers) listTranslationLanguages(ctx context.Context,
	in *TranslationParams) (*operation.Body[wire.List[TranslationLanguage]], error) {
	found, err := h.Translations.Languages(ctx, operation.Caller(ctx), in.Organization, in.Translation)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[TranslationLanguage]]{Body: *wire.Listed(h.Lists, "",
		paging.Page[translation.Language]{Items: found, Count: len(found)},
		h.wireTranslationLanguage(in.Organization))}, nil
}

// TranslationLanguageParams name a language of a translation.
type TranslationLanguageParams struct {
	TranslationParams
	Language string `path:"language" doc:"Code of the language, such as de or pt-br."`
}

// getTranslationLanguage answers one language of a translation.
func (h *Handlers) getTranslationLanguage(ctx context.Context,
	in *TranslationLanguageParams) (*operation.Body[TranslationLanguage], error) {
	found, err := h.Translations.Language(ctx, operation.Caller(ctx), in.Organization, in.Translation, in.Language)
	return h.languageBody(in.Organization, found, err)
}

func (h *Handlers) languageBody(organization id.Organization, l translation.Language,
	err error) (*operation.Body[TranslationLanguage], error) {
	if err != nil {
		return nil, err
	}
	return &operation.Body[TranslationLanguage]{Body: h.wireTranslationLanguage(organization)(l)}, nil
}

// followTranslationSource has a variant follow its source.
func (h *Handlers) followTranslationSource(ctx context.Context,
	in *TranslationLanguageParams) (*operation.Body[TranslationLanguage], error) {
	asked, err := h.Translations.Follow(ctx, operation.Caller(ctx), in.Organization, in.Translation, in.Language)
	return h.languageBody(in.Organization, asked, err)
}

type listTranslationPagesInput struct {
	TranslationLanguageParams
	wire.PageParams
	State string `query:"state" enum:"translated,stale,missing" doc:"Pages that have a text in this state."`
}

// listTranslationPages lists the pages of a language.
func (h *Handlers) listTranslationPages(ctx context.Context,
	in *listTranslationPagesInput) (*operation.Body[wire.List[TranslationPage]], error) {
	name := "translation-pages/" + string(in.Translation) + "/" + in.Language + "/" + in.State
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	pages, err := h.Translations.Pages(ctx, operation.Caller(ctx), in.Organization, in.Translation, in.Language,
		segment.State(in.State), request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[TranslationPage]]{Body: *wire.Listed(h.Lists, name, pages, wireTranslationPage)},
		nil
}

type listTranslationSegmentsInput struct {
	TranslationLanguageParams
	wire.PageParams
	State string `query:"state" enum:"translated,stale,missing"`
	Entry string `query:"pageId" doc:"Texts of this page, or reusable content, alone."`
}

// listTranslationSegments lists the texts of a language.
func (h *Handlers) listTranslationSegments(ctx context.Context,
	in *listTranslationSegmentsInput) (*operation.Body[wire.List[TranslationSegment]], error) {
	name := "translation-segments/" + string(in.Translation) + "/" + in.Language + "/" + in.State + "/" + in.Entry
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	filter := translation.SegmentFilter{State: segment.State(in.State), Entry: in.Entry}
	segments, err := h.Translations.Segments(ctx, operation.Caller(ctx), in.Organization, in.Translation,
		in.Language, filter, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[TranslationSegment]]{Body: *wire.Listed(h.Lists, name, segments,
		wireTranslationSegment)}, nil
}

type translateSegmentInput struct {
	TranslationLanguageParams
	Segment string `path:"segmentId"`
	Body    struct {
		Target string `json:"target" minLength:"1" maxLength:"100000" doc:"The translation, with the placeholders of the source."`
	}
}

// translateSegment translates one text.
func (h *Handlers) translateSegment(ctx context.Context,
	in *translateSegmentInput) (*operation.Body[TranslationSegment], error) {
	after, report, err := h.Translations.Translate(ctx, operation.Caller(ctx), in.Organization, in.Translation,
		in.Language,
		in.Segment, in.Body.Target)
	if err != nil {
		return nil, err
	}
	wire := wireTranslationSegment(after)
	wire.ChangeRequest = report.ChangeRequest
	return &operation.Body[TranslationSegment]{Body: wire}, nil
}
