package api

import (
	"context"
	"encoding/json"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/engine/segment"
)

type listTranslationsInput struct {
	PageParams
	Organization string `path:"organizationId"`
}

// listTranslations lists the translations of an organization.
func (a *API) listTranslations(ctx context.Context, in *listTranslationsInput) (*body[List[Translation]], error) {
	name := "translations/" + in.Organization
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := a.Translations.List(ctx, callerOf(ctx), in.Organization, request)
	if err != nil {
		return nil, err
	}
	return &body[List[Translation]]{Body: *listed(a, name, found, a.wireTranslation)}, nil
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
	Organization string `path:"organizationId"`
	Body         TranslationInput
}

// createTranslation makes a translation.
func (a *API) createTranslation(ctx context.Context, in *createTranslationInput) (*created[Translation], error) {
	raw, err := in.Body.instructions()
	if err != nil {
		return nil, err
	}
	made, err := a.Translations.Create(ctx, callerOf(ctx), in.Organization, in.Body.settings(raw))
	if err != nil {
		return nil, err
	}
	wire := a.wireTranslation(made)
	return &created[Translation]{Location: wire.URLs.Location, Body: wire}, nil
}

// TranslationParams name a translation.
type TranslationParams struct {
	Organization string `path:"organizationId"`
	Translation  string `path:"translationSettingsId"`
}

// getTranslation answers one translation.
func (a *API) getTranslation(ctx context.Context, in *TranslationParams) (*body[Translation], error) {
	found, err := a.Translations.Get(ctx, callerOf(ctx), in.Organization, in.Translation)
	if err != nil {
		return nil, err
	}
	return &body[Translation]{Body: a.wireTranslation(found)}, nil
}

type updateTranslationInput struct {
	TranslationParams
	Body TranslationInput
}

// updateTranslation changes a translation.
func (a *API) updateTranslation(ctx context.Context, in *updateTranslationInput) (*body[Translation], error) {
	raw, err := in.Body.instructions()
	if err != nil {
		return nil, err
	}
	after, err := a.Translations.Update(ctx, callerOf(ctx), in.Organization, in.Translation, in.Body.settings(raw))
	if err != nil {
		return nil, err
	}
	return &body[Translation]{Body: a.wireTranslation(after)}, nil
}

// deleteTranslation removes a translation.
func (a *API) deleteTranslation(ctx context.Context, in *TranslationParams) (*nothing, error) {
	if err := a.Translations.Delete(ctx, callerOf(ctx), in.Organization, in.Translation); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

// listTranslationLanguages lists the languages of a translation.
func (a *API) listTranslationLanguages(ctx context.Context,
	in *TranslationParams) (*body[List[TranslationLanguage]], error) {
	found, err := a.Translations.Languages(ctx, callerOf(ctx), in.Organization, in.Translation)
	if err != nil {
		return nil, err
	}
	return &body[List[TranslationLanguage]]{Body: *listed(a, "",
		paging.Page[translation.Language]{Items: found, Count: len(found)},
		a.wireTranslationLanguage(in.Organization))}, nil
}

// TranslationLanguageParams name a language of a translation.
type TranslationLanguageParams struct {
	TranslationParams
	Language string `path:"language" doc:"Code of the language, such as de or pt-br."`
}

// getTranslationLanguage answers one language of a translation.
func (a *API) getTranslationLanguage(ctx context.Context,
	in *TranslationLanguageParams) (*body[TranslationLanguage], error) {
	found, err := a.Translations.Language(ctx, callerOf(ctx), in.Organization, in.Translation, in.Language)
	return a.languageBody(in.Organization, found, err)
}

func (a *API) languageBody(organization string, l translation.Language, err error) (*body[TranslationLanguage], error) {
	if err != nil {
		return nil, err
	}
	return &body[TranslationLanguage]{Body: a.wireTranslationLanguage(organization)(l)}, nil
}

// followTranslationSource has a variant follow its source.
func (a *API) followTranslationSource(ctx context.Context,
	in *TranslationLanguageParams) (*body[TranslationLanguage], error) {
	asked, err := a.Translations.Follow(ctx, callerOf(ctx), in.Organization, in.Translation, in.Language)
	return a.languageBody(in.Organization, asked, err)
}

type listTranslationPagesInput struct {
	TranslationLanguageParams
	PageParams
	State string `query:"state" enum:"translated,stale,missing" doc:"Pages that have a text in this state."`
}

// listTranslationPages lists the pages of a language.
func (a *API) listTranslationPages(ctx context.Context,
	in *listTranslationPagesInput) (*body[List[TranslationPage]], error) {
	name := "translation-pages/" + in.Translation + "/" + in.Language + "/" + in.State
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	pages, err := a.Translations.Pages(ctx, callerOf(ctx), in.Organization, in.Translation, in.Language,
		segment.State(in.State), request)
	if err != nil {
		return nil, err
	}
	return &body[List[TranslationPage]]{Body: *listed(a, name, pages, wireTranslationPage)}, nil
}

type listTranslationSegmentsInput struct {
	TranslationLanguageParams
	PageParams
	State string `query:"state" enum:"translated,stale,missing"`
	Entry string `query:"pageId" doc:"Texts of this page, or reusable content, alone."`
}

// listTranslationSegments lists the texts of a language.
func (a *API) listTranslationSegments(ctx context.Context,
	in *listTranslationSegmentsInput) (*body[List[TranslationSegment]], error) {
	name := "translation-segments/" + in.Translation + "/" + in.Language + "/" + in.State + "/" + in.Entry
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	filter := translation.SegmentFilter{State: segment.State(in.State), Entry: in.Entry}
	segments, err := a.Translations.Segments(ctx, callerOf(ctx), in.Organization, in.Translation,
		in.Language, filter, request)
	if err != nil {
		return nil, err
	}
	return &body[List[TranslationSegment]]{Body: *listed(a, name, segments, wireTranslationSegment)}, nil
}

type translateSegmentInput struct {
	TranslationLanguageParams
	Segment string `path:"segmentId"`
	Body    struct {
		Target string `json:"target" minLength:"1" maxLength:"100000" doc:"The translation, with the placeholders of the source."`
	}
}

// translateSegment translates one text.
func (a *API) translateSegment(ctx context.Context, in *translateSegmentInput) (*body[TranslationSegment], error) {
	after, report, err := a.Translations.Translate(ctx, callerOf(ctx), in.Organization, in.Translation, in.Language,
		in.Segment, in.Body.Target)
	if err != nil {
		return nil, err
	}
	wire := wireTranslationSegment(after)
	wire.ChangeRequest = report.ChangeRequest
	return &body[TranslationSegment]{Body: wire}, nil
}
