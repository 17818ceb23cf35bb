package app

import (
	"github.com/rectodocs/recto/internal/fetch"
	"github.com/rectodocs/recto/internal/translation"
)

// assembleTranslations makes the service of translations.
func (a *App) assembleTranslations(_ *fetch.Client) {
	a.translations = translation.New(translation.Deps{
		DB: a.db, Accounts: a.accounts, Spaces: a.spaces, Content: a.content, Changes: a.changes, Jobs: a.jobs, Log: a.log,
	})
}
