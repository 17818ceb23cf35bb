package translations

import (
	"context"
	"mime"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// maxTranslationFile bounds an import of translations, as the readers of its formats do.
const maxTranslationFile = 32 << 20

type exportTranslationInput struct {
	TranslationLanguageParams
	Format string `query:"format" enum:"xliff,po" default:"xliff"`
	State  string `query:"state" enum:"translated,stale,missing" doc:"Texts in this state alone."`
	Entry  string `query:"pageId" doc:"Texts of this page, or reusable content, alone."`
}

// exportedTranslation is a file to download.
type exportedTranslation struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

// exportTranslation writes the texts of a language for translators.
func (h *Handlers) exportTranslation(ctx context.Context, in *exportTranslationInput) (*exportedTranslation, error) {
	filter := translation.SegmentFilter{State: segment.State(in.State), Entry: in.Entry}
	file, err := h.Translations.Export(ctx, operation.Caller(ctx), in.Organization, in.Translation, in.Language,
		translation.Format(in.Format), filter)
	if err != nil {
		return nil, err
	}
	return &exportedTranslation{
		ContentType: file.ContentType, Disposition: mime.FormatMediaType("attachment",
			map[string]string{"filename": file.Name}), Body: file.Bytes,
	}, nil
}

type importTranslationInput struct {
	TranslationLanguageParams
	Format  string `query:"format" enum:"xliff,po" doc:"Found out from the file when it is not given."`
	RawBody []byte
}

// TranslationReport says what became of translations that were given.
type TranslationReport struct {
	Applied       int                  `json:"applied"`
	Unchanged     int                  `json:"unchanged"`
	Pages         int                  `json:"pages" doc:"Pages that have changed."`
	ChangeRequest id.ChangeRequest     `json:"changeRequest,omitempty" doc:"Where the translations went."`
	Problems      []TranslationProblem `json:"problems"`
}

// TranslationProblem is a translation that could not be taken.
type TranslationProblem struct {
	Segment string `json:"segment,omitempty"`
	Line    int    `json:"line,omitempty" doc:"In the file."`
	Message string `json:"message"`
}

// importTranslation brings the translations of a file into a change request.
func (h *Handlers) importTranslation(ctx context.Context,
	in *importTranslationInput) (*operation.Body[TranslationReport], error) {
	report, err := h.Translations.Import(ctx, operation.Caller(ctx), in.Organization, in.Translation, in.Language,
		translation.Format(in.Format), in.RawBody)
	if err != nil {
		return nil, err
	}
	wire := TranslationReport{
		Applied: report.Applied, Unchanged: report.Unchanged, Pages: report.Pages, ChangeRequest: report.ChangeRequest,
		Problems: []TranslationProblem{},
	}
	for _, problem := range report.Problems {
		wire.Problems = append(wire.Problems, TranslationProblem(problem))
	}
	return &operation.Body[TranslationReport]{Body: wire}, nil
}

type startMachineTranslationInput struct {
	TranslationLanguageParams
	Body *struct {
		States   []string `json:"states,omitempty" doc:"missing, stale or both, which is what it is without."`
		Page     string   `json:"page,omitempty" doc:"Id of one page to translate."`
		MaxWords int      `json:"maxWords,omitempty" minimum:"1" maximum:"1000000" doc:"Stop before more words than this are sent."`
	} `required:"false"`
}

// startMachineTranslation has a machine translate.
func (h *Handlers) startMachineTranslation(ctx context.Context,
	in *startMachineTranslationInput) (*operation.Body[TranslationLanguage], error) {
	var request translation.MachineRequest
	if in.Body != nil {
		request.Entry, request.MaxWords = in.Body.Page, in.Body.MaxWords
		for _, state := range in.Body.States {
			request.States = append(request.States, segment.State(state))
		}
	}
	started, err := h.Translations.StartMachine(ctx, operation.Caller(ctx), in.Organization, in.Translation,
		in.Language,
		request)
	return h.languageBody(in.Organization, started, err)
}

// cancelMachineTranslation ends a run of machine translation.
func (h *Handlers) cancelMachineTranslation(ctx context.Context,
	in *TranslationLanguageParams) (*operation.Body[TranslationLanguage], error) {
	ended, err := h.Translations.CancelMachine(ctx, operation.Caller(ctx), in.Organization, in.Translation, in.Language)
	return h.languageBody(in.Organization, ended, err)
}
