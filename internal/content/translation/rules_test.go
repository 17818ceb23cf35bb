package translation_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/translation"
)

func TestSettingsThatAreRefused(t *testing.T) {
	each(t, func(f *fixture) {
		source := f.document("Start", "Words.\n")
		v := f.translate(source)
		german := v.language().Space
		titled := func(title string) translation.Settings {
			return translation.Settings{Title: optional.Of(title)}
		}
		glossary := func(terms ...translation.Term) translation.Settings {
			return translation.Settings{Glossary: optional.Of(terms)}
		}
		var many []string
		for i := range 41 {
			many = append(many, fmt.Sprint(i))
		}
		for name, test := range map[string]struct {
			in   translation.Settings
			kind errs.Kind
			says id.Translation
		}{
			"nothing":        {translation.Settings{}, errs.Invalid, "title"},
			"an empty title": {titled(""), errs.Invalid, "title"},
			"a long title":   {titled(strings.Repeat("x", 101)), errs.Invalid, "title"},
			"no title":       {translation.Settings{Title: optional.Null[string]()}, errs.Invalid, "title"},
			"no source": {translation.Settings{Title: optional.Of("x"),
				Languages: optional.Of([]string{"de"})}, errs.Invalid, "source"},
			"a nameless one":     {from("", "en"), errs.Invalid, "source.space"},
			"no such code":       {from(source, "en", "xx"), errs.Invalid, "languages[0]"},
			"twice":              {from(source, "en", "fr", "fr"), errs.Invalid, "languages[1]: fr is there twice"},
			"its own":            {from(source, "en", "en"), errs.Invalid, "language of the source"},
			"too many":           {from(source, "en", many...), errs.Invalid, "are 41; at most 40"},
			"no such language":   {from(source, "xx"), errs.Invalid, "source.language"},
			"no such space":      {from("space_00000000000000000000000000", "en"), errs.NotFound, ""},
			"a variant":          {from(german, "de", "fr"), errs.Conflict, "translate its source"},
			"translated already": {from(source, "en", "fr", "de"), errs.Conflict, v.id},
		} {
			_, err := f.Create(f.Context(), f.Admin(), f.Organization, test.in)
			if err == nil {
				f.Errorf("%s is taken", name)
			}
			wantKind(f.T, err, test.kind, string(test.says))
		}
		for name, test := range map[string]struct {
			in   translation.Settings
			kind errs.Kind
			says string
		}{
			"no document": {translation.Settings{Instructions: optional.Of(json.RawMessage(`{"object":"x"}`))},
				errs.Invalid, "instructions"},
			"long instructions": {translation.Settings{Instructions: optional.Of(json.RawMessage(
				strings.Repeat(" ", 64<<10+1)))}, errs.Invalid, "at most 65536"},
			"another source": {from(german, "de"), errs.Conflict, "cannot be changed"},
			"the target": {translation.Settings{Source: optional.Of(translation.Source{Space: source,
				Language: "de"})}, errs.Invalid, "source.language"},
			"a term in no language": {glossary(translation.Term{Term: "a",
				Translations: map[string]string{"xx": "b"}}), errs.Invalid, "glossary[0].translations"},
			"an empty term":  {glossary(translation.Term{}), errs.Invalid, "glossary[0].term"},
			"too many terms": {glossary(make([]translation.Term, 1001)...), errs.Invalid, "at most 1000"},
			"no languages":   {translation.Settings{Languages: optional.Null[[]string]()}, errs.Invalid, "languages"},
		} {
			_, err := f.Update(f.Context(), f.Admin(), f.Organization, v.id, test.in)
			if err == nil {
				f.Errorf("%s is taken", name)
			}
			wantKind(f.T, err, test.kind, test.says)
		}
		now, err := f.Get(f.Context(), f.Admin(), f.Organization, v.id)
		if err != nil || now.SourceLanguage != "en" || len(now.Languages) != 1 || len(now.Glossary) != 0 {
			f.Errorf("what was refused has changed the settings: %+v %v", now, err)
		}
		list, err := f.List(f.Context(), f.Admin(), f.Organization, paging.Request{})
		if err != nil || list.Count != 1 {
			f.Errorf("what was refused has made %d translations: %v", list.Count-1, err)
		}
	})
}

func TestWhatIsNotThere(t *testing.T) {
	each(t, func(f *fixture) {
		v := f.translate(f.document("Start", "Words.\n"))
		ctx, admin, organization := f.Context(), f.Admin(), f.Organization
		_, err := f.Get(ctx, admin, organization, "translation_00000000000000000000000000")
		wantKind(f.T, err, errs.NotFound, "no such translation")
		_, err = f.Get(ctx, f.Stranger, f.Other, v.id)
		wantKind(f.T, err, errs.NotFound, "no such translation")
		_, err = f.Language(ctx, admin, organization, v.id, "fr")
		wantKind(f.T, err, errs.NotFound, "List its languages")
		_, _, err = f.Translate(ctx, admin, organization, v.id, "de", "a.b", "x")
		wantKind(f.T, err, errs.NotFound, "")
		_, _, err = f.Translate(ctx, admin, organization, v.id, "de", pageID("Start")+".b", "x")
		wantKind(f.T, err, errs.NotFound, "no segment")
		_, err = f.Pages(ctx, admin, organization, v.id, "de", "x", paging.Request{})
		wantKind(f.T, err, errs.Invalid, "state")
		_, err = f.Segments(ctx, admin, organization, v.id, "de", translation.SegmentFilter{State: "x"},
			paging.Request{})
		wantKind(f.T, err, errs.Invalid, "state")
		missing := translation.SegmentFilter{Entry: "x"}
		_, err = f.Segments(ctx, admin, organization, v.id, "de", missing, paging.Request{})
		wantKind(f.T, err, errs.NotFound, "no page or reusable content")
		_, err = f.Export(ctx, admin, organization, v.id, "de", translation.XLIFF, missing)
		wantKind(f.T, err, errs.NotFound, "no page or reusable content")
		_, err = f.Export(ctx, admin, organization, v.id, "de", "x", translation.SegmentFilter{})
		wantKind(f.T, err, errs.Invalid, "format")
		_, err = f.StartMachine(ctx, admin, organization, v.id, "de", translation.MachineRequest{Entry: "x"})
		wantKind(f.T, err, errs.NotFound, "no page or reusable content")
	})
}

func TestTextsThatCannotBeUsed(t *testing.T) {
	each(t, func(f *fixture) {
		v := f.translate(f.document("Start", "Run `make` and [read on](start.md).\n"))
		segments := v.segments("")
		for _, test := range []struct{ segment, text, says string }{
			{segments[0].ID, "a\u0007b", "U+0007"},
			{segments[0].ID, "…", "no words"},
			{segments[1].ID, "Rufe auf.", "<1/> is missing"},
			{segments[1].ID, "<1/> <1/> <2>mehr</2>", "<1"},
		} {
			_, _, err := f.Translate(f.Context(), f.Admin(), f.Organization, v.id, "de", test.segment, test.text)
			wantKind(f.T, err, errs.Invalid, test.says)
		}
		if now := v.followed(); now.Counts.Translated != 0 || now.ChangeRequest != "" {
			f.Errorf("what was refused is there: %+v", now)
		}
	})
}

// TestSourcesKnowTheirLanguage holds that setting up a translation tells the source its language, and that one which is
// refused leaves it alone.
func TestSourcesKnowTheirLanguage(t *testing.T) {
	each(t, func(f *fixture) {
		source, other := f.document("Start", "Welcome.\n"), f.document("Start", "Welcome.\n")
		language := func(spaceID id.Space) string {
			f.Helper()
			found, err := f.spaces.Get(f.Context(), f.Admin(), spaceID)
			if err != nil {
				f.Fatal(err)
			}
			return found.Language
		}
		v := f.translate(source)
		if got := language(source); got != "en" {
			f.Errorf("the source is in %q", got)
		}
		if _, err := f.Update(f.Context(), f.Admin(), f.Organization, v.id, translation.Settings{
			Source: optional.Of(translation.Source{Space: source, Language: "es"})}); err != nil {
			f.Fatal(err)
		}
		if got := language(source); got != "es" {
			f.Errorf("the source is in %q after a correction", got)
		}
		if _, err := f.spaces.Update(f.Context(), f.Admin(), other,
			space.Change{Language: optional.Of("fr")}); err != nil {
			f.Fatal(err)
		}
		_, err := f.Create(f.Context(), f.Admin(), f.Organization, from(other, "xx"))
		wantKind(f.T, err, errs.Invalid, "source.language")
		if got := language(other); got != "fr" {
			f.Errorf("a refused translation changed the language to %q", got)
		}
	})
}
