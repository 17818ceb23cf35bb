package space

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/access"
)

func TestNewSpaceCheck(t *testing.T) {
	tests := []struct {
		name    string
		in      NewSpace
		want    NewSpace
		kind    errs.Kind
		refused string
	}{
		{name: "nothing", want: NewSpace{Title: "Untitled", EditMode: EditModeLive}},
		{
			name: "all", in: NewSpace{Title: " Guide ", Emoji: "1f4d8", Language: "pt-br", EditMode: EditModeLocked},
			want: NewSpace{Title: "Guide", Emoji: "📘", Language: "pt-br", EditMode: EditModeLocked},
		},
		{name: "longest title", in: NewSpace{Title: strings.Repeat("語", 50)},
			want: NewSpace{Title: strings.Repeat("語", 50), EditMode: EditModeLive}},
		{name: "long title", in: NewSpace{Title: strings.Repeat("語", 51)}, kind: errs.Invalid,
			refused: "title: has 51 characters"},
		{name: "line in title", in: NewSpace{Title: "a\nb"}, kind: errs.Invalid, refused: "title"},
		{name: "emoji", in: NewSpace{Emoji: "book"}, kind: errs.Invalid, refused: "emoji"},
		{name: "language", in: NewSpace{Language: "tlh"}, kind: errs.Invalid, refused: "one of en, fr"},
		{name: "edit mode", in: NewSpace{EditMode: "frozen"}, kind: errs.Invalid, refused: "one of live, locked"},
		{name: "icon", in: NewSpace{Icon: "https://example.org/i.png"}, want: NewSpace{Title: "Untitled",
			Icon: "https://example.org/i.png", EditMode: EditModeLive}},
		{name: "icon that is no address", in: NewSpace{Icon: "i.png"}, kind: errs.Invalid, refused: "icon"},
		{name: "emoji and icon", in: NewSpace{Emoji: "1f4d8", Icon: "https://example.org/i.png"}, kind: errs.Invalid,
			refused: "icon"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.in.check()
			if test.refused != "" {
				if !errs.Is(err, test.kind) || !strings.Contains(err.Error(), test.refused) {
					t.Errorf("got %v, want a refusal with %q", err, test.refused)
				}
				return
			}
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestChangeApply(t *testing.T) {
	before := Space{
		ID: "space_1", Title: "Guide", Emoji: "📘", EditMode: EditModeLive, DefaultLevel: "read", Language: "en",
	}
	with := func(change func(*Space)) Space {
		after := before
		change(&after)
		return after
	}
	withIcon := with(func(s *Space) { s.Emoji, s.Icon = "", "https://example.org/i.png" })
	tests := []struct {
		name    string
		before  Space
		change  Change
		want    Space
		refused string
	}{
		{name: "nothing", before: before, want: before},
		{name: "title", before: before, change: Change{Title: optional.Of("New")}, want: with(func(s *Space) {
			s.Title = "New"
		})},
		{name: "the same title", before: before, change: Change{Title: optional.Of("Guide")}, want: before},
		{name: "null title", before: before, change: Change{Title: optional.Null[string]()},
			refused: "title: may not be null"},
		{name: "empty title", before: before, change: Change{Title: optional.Of(" ")}, refused: "from 1 to 50"},
		{name: "null edit mode", before: before, change: Change{EditMode: optional.Null[EditMode]()},
			refused: "editMode: may not be null"},
		{name: "lock", before: before, change: Change{EditMode: optional.Of(EditModeLocked)},
			want: with(func(s *Space) { s.EditMode = EditModeLocked })},
		{name: "edit mode", before: before, change: Change{EditMode: optional.Of(EditMode("x"))},
			refused: "one of live, locked"},
		{name: "no access", before: before, change: Change{DefaultLevel: optional.Null[access.Level]()},
			want: with(func(s *Space) { s.DefaultLevel = access.NoAccess })},
		{name: "inherit", before: before, change: Change{DefaultLevel: optional.Of(access.Inherit)},
			want: with(func(s *Space) { s.DefaultLevel = access.Inherit })},
		{name: "empty level", before: before, change: Change{DefaultLevel: optional.Of(access.NoAccess)},
			refused: "null is accepted"},
		{name: "level", before: before, change: Change{DefaultLevel: optional.Of(access.Level("owner"))},
			refused: "one of inherit, admin"},
		{name: "language", before: before, change: Change{Language: optional.Of("de")}, want: with(func(s *Space) {
			s.Language = "de"
		})},
		{name: "no language", before: before, change: Change{Language: optional.Null[string]()},
			want: with(func(s *Space) { s.Language = "" })},
		{name: "empty language", before: before, change: Change{Language: optional.Of("")}, refused: "one of en"},
		{name: "emoji", before: before, change: Change{Emoji: optional.Of("1f600")}, want: with(func(s *Space) {
			s.Emoji = "😀"
		})},
		{name: "no emoji", before: before, change: Change{Emoji: optional.Null[string]()}, want: with(func(s *Space) {
			s.Emoji = ""
		})},
		{name: "icon for emoji", before: before, change: Change{Icon: optional.Of("https://example.org/i.png")},
			want: withIcon},
		{name: "emoji for icon", before: withIcon, change: Change{Emoji: optional.Of("📘"),
			Icon: optional.Null[string]()}, want: before},
		{name: "neither", before: withIcon, change: Change{Emoji: optional.Null[string](),
			Icon: optional.Null[string]()}, want: with(func(s *Space) { s.Emoji = "" })},
		{name: "no emoji leaves the icon", before: withIcon, change: Change{Emoji: optional.Null[string]()},
			want: withIcon},
		{name: "both", before: before, change: Change{Emoji: optional.Of("📘"),
			Icon: optional.Of("https://example.org/i.png")}, refused: "one of the two"},
		{name: "icon without an address", before: before, change: Change{Icon: optional.Of("book")}, refused: "icon"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, changed, err := test.change.apply(test.before)
			if test.refused != "" {
				if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), test.refused) {
					t.Errorf("got %v, want a refusal with %q", err, test.refused)
				}
				return
			}
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(Space{})); err != nil || diff != "" {
				t.Error(err, diff)
			}
			if changed != (test.want != test.before) {
				t.Errorf("changed is %v", changed)
			}
		})
	}
}
