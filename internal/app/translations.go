package app

import (
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// assembleTranslations makes the service of translations.
func (a *App) assembleTranslations(fetcher *fetch.Client) {
	deps := translation.Deps{
		DB: a.db, Accounts: a.accounts, Spaces: a.spaces, Content: a.content, Changes: a.changes, Jobs: a.jobs,
		Log:  a.log,
		Show: a.sites.ShowBeside,
	}
	if a.config.TranslateURL != "" {
		deps.Provider = &translation.Completions{
			Fetch: fetcher, URL: a.config.TranslateURL, Model: a.config.TranslateModel, Key: a.config.TranslateKey,
		}
	}
	a.translations = translation.New(complete(a, deps))
}
