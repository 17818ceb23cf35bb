package translations

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those of translations.
func (h *Handlers) Operations() []operation.Operation {
	const (
		list      = "/v1/orgs/{organizationId}/translations"
		one       = list + "/{translationSettingsId}"
		languages = one + "/languages"
		language  = languages + "/{language}"
	)
	return []operation.Operation{
		operation.New("listTranslations", http.MethodGet, list, "Translations", "List translations", h.listTranslations,
			operation.Describe("The oldest first.")),
		operation.New("createTranslation", http.MethodPost, list, "Translations", "Create a translation",
			h.createTranslation,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict),
			operation.Describe(
				"With a title alone it is settings to fill in later. With a source and languages each language "+
					"gets a variant: a space beside the source with the same pages, which follows the source.")),
		operation.New("getTranslation", http.MethodGet, one, "Translations", "Get a translation", h.getTranslation),
		operation.New("updateTranslation", http.MethodPut, one, "Translations", "Change a translation",
			h.updateTranslation,
			operation.May(http.StatusConflict),
			operation.Describe(
				"What is absent stays as it is. languages are all languages: a new one gets a variant, the "+
					"variant of one that goes stays as a space of its own.")),
		operation.New("deleteTranslation", http.MethodDelete, one, "Translations", "Delete a translation",
			h.deleteTranslation,
			operation.Status(http.StatusNoContent),
			operation.Describe("Its variants stay as spaces of their own.")),
		operation.New("listTranslationLanguages", http.MethodGet, languages, "Translations",
			"List the languages of a translation",
			h.listTranslationLanguages,
			operation.Describe("Those whose variants you may read, with the states of their texts added up.")),
		operation.New("getTranslationLanguage", http.MethodGet, language, "Translations",
			"Get a language of a translation",
			h.getTranslationLanguage),
		operation.New("followTranslationSource", http.MethodPost, language+"/follow", "Translations",
			"Have a variant follow its source",
			h.followTranslationSource, operation.Status(http.StatusAccepted),
			operation.Describe(
				"It does so by itself whenever the source changes; this is for trying again after a failure.")),
		operation.New("listTranslationPages", http.MethodGet, language+"/pages", "Translations",
			"List the pages of a language",
			h.listTranslationPages,
			operation.Describe("In the order of reading, with the states of their texts.")),
		operation.New("listTranslationSegments", http.MethodGet, language+"/segments", "Translations",
			"List the texts of a language",
			h.listTranslationSegments,
			operation.Describe(
				"In the order of reading. In texts, <1>…</1> and <2/> are placeholders for marks, links, "+
					"images, code and expressions.")),
		operation.New("translateSegment", http.MethodPut, language+"/segments/{segmentId}", "Translations",
			"Translate a text",
			h.translateSegment, operation.May(http.StatusConflict),
			operation.Describe(
				"Into the open change request of the variant, or one that is opened for it. The text that is "+
					"there already is confirmed: it is not stale any more.")),
		operation.New("exportTranslation", http.MethodGet, language+"/export", "Translations",
			"Export the texts of a language",
			h.exportTranslation,
			operation.Describe("As XLIFF 2.0 or as a PO file of gettext, for translators and their tools.")),
		operation.New("importTranslation", http.MethodPost, language+"/import", "Translations", "Import translations",
			h.importTranslation,
			operation.Takes(maxTranslationFile),
			operation.May(http.StatusConflict, http.StatusRequestEntityTooLarge),
			operation.Describe(
				"An XLIFF 2 or PO file that came from the export. Translations go to the open change request of "+
					"the variant, or one that is opened for them; what cannot be used is in problems, with its line.")),
		operation.New("startMachineTranslation", http.MethodPost, language+"/machine", "Translations",
			"Translate by machine",
			h.startMachineTranslation, operation.Status(http.StatusAccepted),
			operation.May(http.StatusConflict, http.StatusPreconditionFailed),
			operation.Describe(
				"What is missing or stale, in the background. The results go to the open change request of the "+
					"variant and are marked until a person changes or confirms them.")),
		operation.New("cancelMachineTranslation", http.MethodDelete, language+"/machine", "Translations",
			"Cancel machine translation",
			h.cancelMachineTranslation, operation.May(http.StatusConflict),
			operation.Describe("What has been translated stays in the change request.")),
	}
}
