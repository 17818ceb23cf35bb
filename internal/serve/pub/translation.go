package pub

import (
	"context"
	"log/slog"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/publish/site"
)

// translationView is the note on a page whose translation is not up to date.
type translationView struct {
	// Text says what is wrong, Link what leads to the original; in the language of the page. URL is empty where the
	// original is not on the site.
	Text, Link, URL string
	// SourceLanguage is that of the original.
	SourceLanguage string
}

// translationState identifies how up to date the translations on a site are. Spaces without a language are none.
func (s *Server) translationState(ctx context.Context, served site.Served) (string, error) {
	if s.deps.Translations == nil {
		return "", nil
	}
	var spaces []string
	for _, space := range served.Spaces {
		if space.Language != "" {
			spaces = append(spaces, space.Space)
		}
	}
	return s.deps.Translations.ServedState(ctx, spaces)
}

// translation reports whether a page is a translation, and sets its note unless it is up to date.
func (s *scope) translation(ctx context.Context, node *store.TreeNode, v *view) (translated bool, err error) {
	if s.server.deps.Translations == nil || s.space.Language == "" || s.preview != nil {
		return false, nil
	}
	found, translated, err := s.server.deps.Translations.Serve(ctx, s.space.Space, node.Entry.ID)
	if err != nil || !translated || found.Stale+found.Missing == 0 {
		return translated, err
	}
	said := s.server.themes.Words.TranslationNote(s.space.Language)
	note := &translationView{Text: said.Stale, Link: said.Original}
	if found.Translated+found.Stale == 0 {
		note.Text = said.Missing
	}
	note.URL, note.SourceLanguage = s.original(ctx, found.Source, node.Entry.ID)
	v.Translation = note
	return true, nil
}

// original returns the address of a page in the space that it is translated from, if that is on the site: beside the
// translation, or else anywhere.
func (s *scope) original(ctx context.Context, spaceID, pageID string) (address, language string) {
	var source *site.ServedSpace
	for i, space := range s.site.Spaces {
		if space.Space == spaceID && (source == nil || space.Section == s.space.Section) {
			source = &s.site.Spaces[i]
		}
	}
	if source == nil {
		return "", ""
	}
	other, err := s.in(ctx, *source)
	if err != nil {
		s.server.log.WarnContext(ctx, "find the original of a translation", slog.String("space", spaceID),
			slog.Any("error", err))
	}
	if other == nil || err != nil {
		return "", ""
	}
	node := other.edition.Tree.ByID[pageID]
	if !other.edition.Exists(node) {
		return "", ""
	}
	return other.pageURL(node), source.Language
}
