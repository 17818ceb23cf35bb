package translation_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestShortTextsBecomeStale holds that a translated text of few words whose source changes is neither overwritten nor
// shown as current, in bodies and titles.
func TestShortTextsBecomeStale(t *testing.T) {
	each(t, func(f *fixture) {
		page := pageID("Start")
		space := f.document("Start", "Run it.\n\n| Do | Then |\n| --- | --- |\n| Save | Stop |\n")
		v := f.translate(space)
		german := map[string]string{"Start": "Anfang", "Run it.": "Führe es aus.", "Do": "Tu", "Then": "Dann",
			"Save": "Sichern", "Stop": "Halt"}
		for _, one := range v.segments(page) {
			v.put(one.ID, german[one.Source.Text])
		}
		now := v.followed()
		if now.Counts.Translated != len(german) || now.Counts.Stale+now.Counts.Missing != 0 {
			f.Fatalf("translated: %+v", now.Counts)
		}
		v.merge(now)
		f.write(space, "", "Start=Begin", "Run it now.\n\n| Do | Then |\n| --- | --- |\n| Store | Stop |\n")
		now = v.followed()
		type stated struct {
			state  segment.State
			target string
		}
		want := map[string]stated{
			"Begin": {segment.Stale, "Anfang"}, "Run it now.": {segment.Stale, "Führe es aus."},
			"Do": {segment.Translated, "Tu"}, "Then": {segment.Translated, "Dann"},
			"Store": {segment.Stale, "Sichern"}, "Stop": {segment.Translated, "Halt"},
		}
		segments := v.segments(page)
		if len(segments) != len(want) {
			f.Errorf("%d segments, want %d", len(segments), len(want))
		}
		for _, one := range segments {
			if got := (stated{one.State, one.Target}); got != want[one.Source.Text] {
				f.Errorf("%q is %v, want %v", one.Source.Text, got, want[one.Source.Text])
			}
		}
		if now.Counts.Stale != 3 || now.Counts.Missing != 0 {
			f.Errorf("counts: %+v", now.Counts)
		}
		title, shown := f.page(now.Space, "", page)
		if title != "Anfang" || !strings.Contains(shown, "Führe es aus.") || !strings.Contains(shown, "Sichern") {
			f.Errorf("readers lost a text: %q\n%s", title, shown)
		}
		if now.ChangeRequest != "" {
			if _, proposed := v.proposed(now, page); strings.Contains(proposed, "Run it now.") ||
				!strings.Contains(proposed, "Führe es aus.") {
				f.Errorf("the change request overwrites a translation: %s", proposed)
			}
		}
	})
}

// TestVariantSaysWhyItCannotFollow takes the right to write from the one in whose name a variant follows.
func TestVariantSaysWhyItCannotFollow(t *testing.T) {
	each(t, func(f *fixture) {
		space := f.document("123", "Words.\n")
		owner := f.Members[org.RoleCreate]
		made, err := f.Create(f.Context(), owner, f.Organization, from(space, "en", "de"))
		if err != nil {
			f.Fatal(err)
		}
		v := variant{f, space, made.ID, "de"}
		variantSpace := v.followed().Space
		err = access.New(f.db).Invite(f.Context(), f.Admin(), access.SpaceObject(variantSpace),
			access.Invitation{Users: []string{string(owner.User.ID)}, Role: access.Role(org.RoleRead)})
		if err != nil {
			f.Fatal(err)
		}
		f.write(space, "", "123", "Other words.\n")
		failed := v.until(func(now translation.Language) bool { return now.State == translation.Failed })
		if failed.Error == "" {
			f.Error("the variant does not say why")
		}
		// Somebody else takes it on.
		_, err = f.Update(f.Context(), f.Admin(), f.Organization, made.ID,
			translation.Settings{Title: optional.Of("Mine")})
		if err != nil {
			f.Fatal(err)
		}
		v.follow()
		if after := v.followed(); after.ChangeRequest == "" || after.Counts.Missing != 1 {
			f.Errorf("after: %+v", after)
		}
	})
}

func TestListsArePaged(t *testing.T) {
	each(t, func(f *fixture) {
		var pages []string
		for i := range 5 {
			pages = append(pages, "Page"+strconv.Itoa(i), "One sentence.\n\nAnother sentence.\n")
		}
		v := f.translate(f.document(pages...))
		pagesIn := func(state segment.State) func(paging.Request) ([]string, int, []string, error) {
			return func(page paging.Request) ([]string, int, []string, error) {
				found, err := f.Pages(f.Context(), f.Admin(), f.Organization, v.id, v.code, state, page)
				var ids []string
				for _, one := range found.Items {
					ids = append(ids, one.Entry)
				}
				return ids, found.Count, found.Next, err
			}
		}
		segmentsOf := func(filter translation.SegmentFilter) func(paging.Request) ([]string, int, []string, error) {
			return func(page paging.Request) ([]string, int, []string, error) {
				found, err := f.Segments(f.Context(), f.Admin(), f.Organization, v.id, v.code, filter, page)
				var ids []string
				for _, one := range found.Items {
					ids = append(ids, one.ID)
				}
				return ids, found.Count, found.Next, err
			}
		}
		for name, test := range map[string]struct {
			list        func(paging.Request) ([]string, int, []string, error)
			limit, want int
		}{
			"pages":              {pagesIn(""), 2, 5},
			"missing pages":      {pagesIn(segment.Missing), 1, 5},
			"stale pages":        {pagesIn(segment.Stale), 1, 0},
			"segments":           {segmentsOf(translation.SegmentFilter{}), 4, 15},
			"missing segments":   {segmentsOf(translation.SegmentFilter{State: segment.Missing}), 1, 15},
			"all segments":       {segmentsOf(translation.SegmentFilter{}), 1000, 15},
			"stale segments":     {segmentsOf(translation.SegmentFilter{State: segment.Stale}), 1, 0},
			"segments of a page": {segmentsOf(translation.SegmentFilter{Entry: pageID("page3")}), 2, 3},
		} {
			seen, request := map[string]bool{}, paging.Request{Limit: test.limit}
			for range 20 {
				ids, count, next, err := test.list(request)
				if err != nil {
					f.Fatalf("%s: %v", name, err)
				}
				if count != test.want || len(ids) > test.limit {
					f.Errorf("%s counts %d, a page has %d", name, count, len(ids))
				}
				for _, id := range ids {
					if seen[id] {
						f.Errorf("%s has %s twice", name, id)
					}
					seen[id] = true
				}
				if request.After = next; next == nil {
					break
				}
			}
			if len(seen) != test.want {
				f.Errorf("%s has %d items, want %d", name, len(seen), test.want)
			}
		}
	})
}
