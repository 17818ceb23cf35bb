package paging

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/propertytest"
)

var (
	cursorSigner = NewSigner([]byte("0123456789abcdef"))
	otherSigner  = NewSigner([]byte("another key 1234"))
)

// checkCursor holds what a client may rely on for any list and keys: the cursor leads back to them, in one spelling,
// needs no escaping, and belongs to its list and its server alone.
func checkCursor(t *testing.T, list, otherList string, keys []string) {
	t.Helper()
	text := cursorSigner.Encode(Cursor{List: list, Keys: keys})
	if strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" ||
		len(text) > maxCursor {
		t.Fatalf("a cursor of %d characters that cannot be sent: %.100q", len(text), text)
	}
	got, err := cursorSigner.Decode(list, text)
	if err != nil {
		t.Fatalf("list %q, keys %q: %v", list, keys, err)
	}
	if again := cursorSigner.Encode(got); again != text || got.List != list {
		t.Fatalf("list %q, keys %q came back as %+v", list, keys, got)
	}
	if _, err := cursorSigner.Decode(otherList, text); (err == nil) != (list == otherList) {
		t.Fatalf("a cursor of the list %q, read for %q: %v", list, otherList, err)
	}
	if _, err := otherSigner.Decode(list, text); err == nil {
		t.Fatal("a cursor of another server is taken")
	}
}

// checkForeign holds that a text which was not made here is refused, and that nothing but what was made here is taken.
func checkForeign(t *testing.T, list, text string) {
	t.Helper()
	cursor, err := cursorSigner.Decode(list, text)
	switch {
	case err == nil && cursorSigner.Encode(cursor) != text:
		t.Fatalf("%q is a second spelling of a cursor", text)
	case err != nil && !errs.Is(err, errs.Invalid):
		t.Fatalf("%q: %v", text, err)
	}
}

// randomText is a short text of characters that lists are sorted by, and of some that are trouble.
func randomText(r *rand.Rand, most int) string {
	characters := []rune("ab1_ -\"\\\x00\n/é標\U0001f680\u2028<&")
	text := make([]rune, r.IntN(most+1))
	for i := range text {
		text[i] = characters[r.IntN(len(characters))]
	}
	return string(text)
}

func TestCursorsOfAnyList(t *testing.T) {
	cases := propertytest.Cases(t, 2_000, 1)
	r := rand.New(rand.NewPCG(3, 4))
	for range cases {
		keys := make([]string, r.IntN(5))
		for i := range keys {
			keys[i] = randomText(r, 40)
		}
		list, other := randomText(r, 12), randomText(r, 12)
		checkCursor(t, list, other, keys)
		// A cursor with one bit or character changed, cut, or put together with another is none.
		raw := []byte(cursorSigner.Encode(Cursor{List: list, Keys: keys}))
		spoilt := slices.Clone(raw)
		spoilt[r.IntN(len(spoilt))] ^= byte(1 << r.IntN(8))
		for _, text := range []string{string(spoilt), string(raw[:r.IntN(len(raw))]), string(raw) + "A",
			string(raw) + "=", string(raw[:22]) + cursorSigner.Encode(Cursor{List: other})[22:]} {
			checkForeign(t, list, text)
		}
		if cursor, err := cursorSigner.Decode(list, string(spoilt)); err == nil {
			t.Fatalf("a changed cursor is taken: %+v", cursor)
		}
	}
}

// TestCursorsOfLongKeys holds that a list can be gone through whatever its items are called: titles have up to 255
// characters, of four bytes each and six when they are escaped.
func TestCursorsOfLongKeys(t *testing.T) {
	for _, character := range []string{"a", "\U0001f680", "\x00", "<", "\""} {
		checkCursor(t, "list", "other", []string{strings.Repeat(character, 255), strings.Repeat(character, 255)})
	}
}

func FuzzCursors(f *testing.F) {
	f.Add("spaces", "pages", "1", "space_1")
	f.Add("", "", "", "")
	f.Add("標題", "\x00", "\"\\", "\xff")
	f.Fuzz(func(t *testing.T, list, other, first, second string) {
		if len(first)+len(second) > 500 || !utf8.ValidString(first) || !utf8.ValidString(second) {
			return // longer than the keys of any list, or no text of a database
		}
		checkCursor(t, list, other, []string{first, second})
		checkForeign(t, list, first)
	})
}

func FuzzDecode(f *testing.F) {
	f.Add("spaces", cursorSigner.Encode(Cursor{List: "spaces", Keys: []string{"1", "space_1"}}))
	f.Add("spaces", "AAAA")
	f.Add("spaces", base64.RawURLEncoding.EncodeToString([]byte("0123456789abcdef[\"1\"]")))
	f.Fuzz(checkForeign)
}
