package api

import "net/http"

// translationOperations are those of translations.
func (a *API) translationOperations() []operation {
	const (
		list      = "/v1/orgs/{organizationId}/translations"
		one       = list + "/{translationSettingsId}"
		languages = one + "/languages"
		language  = languages + "/{language}"
	)
	return []operation{
		row("listTranslations", get, list, "Translations", "List translations", a.listTranslations,
			describe("The oldest first.")),
		row("createTranslation", post, list, "Translations", "Create a translation", a.createTranslation,
			status(http.StatusCreated), may(http.StatusConflict),
			describe("With a title alone it is settings to fill in later. With a source and languages each language "+
				"gets a variant: a space beside the source with the same pages, which follows the source.")),
		row("getTranslation", get, one, "Translations", "Get a translation", a.getTranslation),
		row("updateTranslation", http.MethodPut, one, "Translations", "Change a translation", a.updateTranslation,
			may(http.StatusConflict),
			describe("What is absent stays as it is. languages are all languages: a new one gets a variant, the "+
				"variant of one that goes stays as a space of its own.")),
		row("deleteTranslation", remove, one, "Translations", "Delete a translation", a.deleteTranslation,
			status(http.StatusNoContent),
			describe("Its variants stay as spaces of their own.")),
		row("listTranslationLanguages", get, languages, "Translations", "List the languages of a translation",
			a.listTranslationLanguages,
			describe("Those whose variants you may read, with the states of their texts added up.")),
		row("getTranslationLanguage", get, language, "Translations", "Get a language of a translation",
			a.getTranslationLanguage),
		row("followTranslationSource", post, language+"/follow", "Translations", "Have a variant follow its source",
			a.followTranslationSource, status(http.StatusAccepted),
			describe("It does so by itself whenever the source changes; this is for trying again after a failure.")),
		row("listTranslationPages", get, language+"/pages", "Translations", "List the pages of a language",
			a.listTranslationPages,
			describe("In the order of reading, with the states of their texts.")),
		row("listTranslationSegments", get, language+"/segments", "Translations", "List the texts of a language",
			a.listTranslationSegments,
			describe("In the order of reading. In texts, <1>…</1> and <2/> are placeholders for marks, links, "+
				"images, code and expressions.")),
		row("translateSegment", http.MethodPut, language+"/segments/{segmentId}", "Translations", "Translate a text",
			a.translateSegment, may(http.StatusConflict),
			describe("Into the open change request of the variant, or one that is opened for it. The text that is "+
				"there already is confirmed: it is not stale any more.")),
		row("exportTranslation", get, language+"/export", "Translations", "Export the texts of a language",
			a.exportTranslation,
			describe("As XLIFF 2.0 or as a PO file of gettext, for translators and their tools.")),
		row("importTranslation", post, language+"/import", "Translations", "Import translations", a.importTranslation,
			takes(maxTranslationFile),
			may(http.StatusConflict, http.StatusRequestEntityTooLarge),
			describe("An XLIFF 2 or PO file that came from the export. Translations go to the open change request of "+
				"the variant, or one that is opened for them; what cannot be used is in problems, with its line.")),
		row("startMachineTranslation", post, language+"/machine", "Translations", "Translate by machine",
			a.startMachineTranslation, status(http.StatusAccepted),
			may(http.StatusConflict, http.StatusPreconditionFailed),
			describe("What is missing or stale, in the background. The results go to the open change request of the "+
				"variant and are marked until a person changes or confirms them.")),
		row("cancelMachineTranslation", remove, language+"/machine", "Translations", "Cancel machine translation",
			a.cancelMachineTranslation, may(http.StatusConflict),
			describe("What has been translated stays in the change request.")),
	}
}
