package translation

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// permit fills in what the caller whom organization was loaded for may do with translations. One of a space that they
// may not read is not there for them; to change one, they have to be able to copy the space.
func permit(ctx context.Context, q db.Querier, organization access.Organization, translations []Translation) error {
	var sources []id.Space
	for _, t := range translations {
		if t.SourceSpace != "" {
			sources = append(sources, t.SourceSpace)
		}
	}
	roles, err := access.RolesInSpaces(ctx, q, organization, sources)
	if err != nil {
		return err
	}
	for i := range translations {
		t := &translations[i]
		t.Permissions = Permissions{View: organization.Permissions.Access, Edit: organization.Permissions.CreateContent}
		if role, there := roles[t.SourceSpace]; there {
			source := access.PermissionsInSpace(role, false)
			t.Permissions.View = t.Permissions.View && source.View
			t.Permissions.Edit = t.Permissions.Edit && source.Manage
		}
	}
	return nil
}

// List returns a page of the translations of an organization, the oldest first, with their number. Those of spaces that
// the caller may not read are not among them.
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID id.Organization,
	page paging.Request) (translations paging.Page[Translation], err error) {
	organization, err := s.access.RequireOrganization(ctx, caller, organizationID, access.ViewSpecs)
	if err != nil {
		return paging.Page[Translation]{}, err
	}
	q := s.deps.DB.Read()
	if translations.Items, translations.Count, err = list(ctx, q, organization, page); err != nil {
		return paging.Page[Translation]{}, err
	}
	translations.Cut(page.Size(), func(t Translation) []string { return []string{string(t.ID)} })
	for i := range translations.Items {
		if translations.Items[i].Languages, err = languages(ctx, q, translations.Items[i].ID); err != nil {
			return paging.Page[Translation]{}, err
		}
	}
	if err := permit(ctx, q, organization, translations.Items); err != nil {
		return paging.Page[Translation]{}, err
	}
	return translations, nil
}

// Get returns a translation; errs.NotFound when there is none.
func (s *Service) Get(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation) (Translation, error) {
	return s.get(ctx, s.deps.DB.Read(), caller, organizationID, translationID)
}

// changeable returns a translation that the caller may change.
func (s *Service) changeable(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	translationID id.Translation) (Translation, error) {
	found, err := s.get(ctx, q, caller, organizationID, translationID)
	if err == nil && !found.Permissions.Edit {
		err = errs.Forbiddenf(
			"Changing a translation needs the role %s in the organization and in the space that it translates.",
			org.RoleCreate)
	}
	return found, err
}

func (s *Service) get(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	translationID id.Translation) (Translation, error) {
	organization, err := access.RequireOrganization(ctx, q, caller, organizationID, access.ViewSpecs)
	if err != nil {
		return Translation{}, err
	}
	found, err := byID(ctx, q, translationID)
	if err == nil && found.Organization != organizationID {
		err = noTranslation()
	}
	if err != nil {
		return Translation{}, err
	}
	permitted := []Translation{found}
	if err := permit(ctx, q, organization, permitted); err != nil {
		return Translation{}, err
	}
	if !permitted[0].Permissions.View {
		return Translation{}, noTranslation()
	}
	return permitted[0], nil
}

// Create makes a translation, with a variant space for each of its languages. It needs the role create in the
// organization and in the source space.
func (s *Service) Create(ctx context.Context, caller account.Caller, organizationID id.Organization,
	in Settings) (Translation, error) {
	var made Translation
	var added []id.Space
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, err := access.RequireOrganization(ctx, q, caller, organizationID, access.CreateContent)
		if err != nil {
			return err
		}
		if !in.Title.IsSet() && !in.Source.IsSet() {
			return errs.Invalidf("title", "is missing: give a title, or the source to translate")
		}
		now := s.clock()
		made = Translation{
			ID: id.Translation(id.New("translation")), Organization: organizationID, Title: untitled,
			Instructions: emptyInstructions,
			OnSites:      true,
			CreatedAt:    now, UpdatedAt: now, updatedBy: caller.User.ID,
		}
		if made, err = in.apply(made); err != nil {
			return err
		}
		if err := s.takeSource(ctx, q, caller, made); err != nil {
			return err
		}
		if err := insert(ctx, q, made); err != nil {
			return err
		}
		permitted := []Translation{made}
		if err := permit(ctx, q, organization, permitted); err != nil {
			return err
		}
		made.Permissions = permitted[0].Permissions
		added, err = s.setLanguages(ctx, q, caller, &made, in.Languages)
		return err
	})
	if err != nil {
		return Translation{}, err
	}
	s.show(ctx, caller, made, added)
	return made, nil
}

// takeSource gives the source the language that it is said to be written in: sites tell the languages of their variants
// by it, in the menu and to machines. It refuses a source that is not a space of the organization which the caller may
// copy.
func (s *Service) takeSource(ctx context.Context, q db.Querier, caller account.Caller, t Translation) error {
	if err := s.checkSource(ctx, q, caller, t); err != nil || t.SourceSpace == "" {
		return err
	}
	return space.SetLanguage(ctx, q, t.SourceSpace, t.SourceLanguage, t.UpdatedAt)
}

func (s *Service) checkSource(ctx context.Context, q db.Querier, caller account.Caller, t Translation) error {
	if t.SourceSpace == "" {
		return nil
	}
	source, err := access.RequireSpace(ctx, q, caller, t.SourceSpace, access.ManageSpace)
	if err == nil && source.Organization != t.Organization {
		err = errs.NotFoundf("There is no such space in this organization.")
	}
	if err != nil {
		return err
	}
	if _, isVariant, err := languageOfSpace(ctx, q, t.SourceSpace); err != nil || isVariant {
		if err == nil {
			err = errs.Conflictf("The space %s is a translation itself; translate its source.", t.SourceSpace)
		}
		return err
	}
	return nil
}

// Update changes a translation. A language that is new gets a variant; one that goes leaves its space as it is, which
// follows the source no longer.
func (s *Service) Update(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, in Settings) (Translation, error) {
	var after Translation
	var added []id.Space
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, err := s.changeable(ctx, q, caller, organizationID, translationID)
		if err != nil {
			return err
		}
		if after, err = in.apply(before); err != nil {
			return err
		}
		after.UpdatedAt, after.updatedBy = s.clock(), caller.User.ID
		if !after.UpdatedAt.After(before.UpdatedAt) {
			after.UpdatedAt = before.UpdatedAt.Add(1000)
		}
		if before.SourceSpace != after.SourceSpace || before.SourceLanguage != after.SourceLanguage {
			if err := s.takeSource(ctx, q, caller, after); err != nil {
				return err
			}
		}
		if err := update(ctx, q, after); err != nil {
			return err
		}
		if added, err = s.setLanguages(ctx, q, caller, &after, in.Languages); err != nil {
			return err
		}
		if slices.ContainsFunc(after.Languages, func(l Language) bool { return l.Code == after.SourceLanguage }) {
			return errs.Invalidf("source.language", "%s is a language that the space is translated to",
				after.SourceLanguage)
		}
		if before.OnSites == after.OnSites {
			return nil
		}
		added = nil
		for _, language := range after.Languages {
			added = append(added, language.Space)
		}
		return nil
	})
	if err != nil {
		return Translation{}, err
	}
	s.show(ctx, caller, after, added)
	return after, nil
}

// setLanguages makes the variants of new languages and lets go of those that are not wanted any more. It returns the
// new variants.
func (s *Service) setLanguages(ctx context.Context, q db.Querier, caller account.Caller, t *Translation,
	wanted optional.Value[[]string]) (added []id.Space, err error) {
	codes, given := wanted.Get()
	if !given {
		if wanted.IsNull() {
			return nil, errs.Invalidf("languages", "may not be null; send an empty list to have none")
		}
		return nil, nil
	}
	if err := checkLanguages(*t, codes); err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(slices.Clone(t.Languages), func(l Language) bool {
		return !slices.Contains(codes, l.Code)
	})
	for _, language := range t.Languages {
		if !slices.Contains(codes, language.Code) {
			if err := deleteLanguage(ctx, q, language.ID); err != nil {
				return nil, err
			}
		}
	}
	for _, code := range codes {
		if slices.ContainsFunc(kept, func(l Language) bool { return l.Code == code }) {
			continue
		}
		other, found, err := translatedBy(ctx, q, t.SourceSpace, code)
		if err == nil && found {
			err = errs.Conflictf("The space is translated to %s by %q (%s) already; take the language out there first.",
				languageNames[code], other.Title, other.ID)
		}
		if err != nil {
			return nil, err
		}
		language, err := s.addLanguage(ctx, q, caller, *t, code)
		if err != nil {
			return nil, err
		}
		kept, added = append(kept, language), append(added, language.Space)
	}
	t.Languages = kept
	return added, nil
}

// addLanguage makes a variant: a copy of the source beside it.
func (s *Service) addLanguage(ctx context.Context, q db.Querier, caller account.Caller, t Translation,
	code string) (Language, error) {
	variant, revision, err := s.deps.Spaces.DuplicateIn(ctx, q, caller, t.SourceSpace, space.Copy{
		Suffix: " (" + languageNames[code] + ")", Language: code,
	})
	if err != nil {
		return Language{}, err
	}
	made := Language{
		ID: id.Language(id.New("variant")), Translation: t.ID, Code: code, Space: variant.ID, State: Pending,
		Source:     revision,
		mainSource: revision,
		generation: 1, UpdatedAt: s.clock(),
	}
	if err := insertLanguage(ctx, q, made); err != nil {
		return Language{}, err
	}
	_, err = s.deps.Jobs.Enqueue(ctx, q, followKind, followArgs{Language: made.ID})
	return made, err
}

// show puts new variants on the sites of their source. Who may not change a site leaves it as it is.
func (s *Service) show(ctx context.Context, caller account.Caller, t Translation, variants []id.Space) {
	if !t.OnSites {
		return
	}
	for _, variant := range variants {
		if err := s.hooks.Get().Show(ctx, caller, t.Organization, t.SourceSpace, variant); err != nil {
			s.deps.Log.WarnContext(ctx, "put a translation on the sites of its source", "space", variant, "error", err)
		}
	}
}

// Delete removes a translation. Its variants stay as spaces of their own.
func (s *Service) Delete(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := s.changeable(ctx, q, caller, organizationID, translationID)
		if err != nil {
			return err
		}
		return remove(ctx, q, found.ID)
	})
}

func noTranslation() error {
	return errs.NotFoundf("There is no such translation in this organization.")
}
