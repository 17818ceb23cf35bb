package paging

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestCursorRoundTrip(t *testing.T) {
	signer := NewSigner([]byte("0123456789abcdef"))
	tests := []Cursor{
		{List: "spaces org=org_1", Keys: []string{"1700000000000000", "space_1"}},
		{List: "", Keys: []string{}},
		{List: "a", Keys: []string{""}},
		{List: "标题", Keys: []string{"標題\x00\"\\", "é"}},
	}
	for _, want := range tests {
		text := signer.Encode(want)
		if strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			t.Errorf("%q needs escaping in a URL", text)
		}
		got, err := signer.Decode(want.List, text)
		if err != nil {
			t.Errorf("Decode(%q): %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("cursor changed (-want +got):\n%s", diff)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	signer := NewSigner([]byte("0123456789abcdef"))
	good := signer.Encode(Cursor{List: "spaces", Keys: []string{"1", "space_1"}})
	raw, err := base64.RawURLEncoding.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	changed := append([]byte(nil), raw...)
	changed[len(changed)-3] ^= 1
	tests := map[string]string{
		"empty":              "",
		"not base64":         "!!!",
		"too short":          base64.RawURLEncoding.EncodeToString(raw[:8]),
		"signature alone":    base64.RawURLEncoding.EncodeToString(raw[:signatureSize]),
		"keys changed":       base64.RawURLEncoding.EncodeToString(changed),
		"cut":                good[:len(good)-4],
		"padded":             good + "=",
		"with a line feed":   good[:10] + "\n" + good[10:],
		"too long":           strings.Repeat("A", maxCursor+1),
		"of another list":    signer.Encode(Cursor{List: "pages", Keys: []string{"1", "space_1"}}),
		"of another key":     NewSigner([]byte("another key 1234")).Encode(Cursor{List: "spaces", Keys: []string{"1"}}),
		"list runs into key": signer.Encode(Cursor{List: "space", Keys: []string{"s1", "space_1"}}),
	}
	for name, text := range tests {
		if _, err := signer.Decode("spaces", text); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: got error %v, want an invalid-input error", name, err)
		}
	}
}

func TestRequestSize(t *testing.T) {
	for limit, want := range map[int]int{-1: DefaultLimit, 0: DefaultLimit, 1: 1, 1000: 1000, 1001: MaxLimit} {
		if got := (Request{Limit: limit}).Size(); got != want {
			t.Errorf("Size of limit %d is %d, want %d", limit, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	keys := func(s string) []string { return []string{s} }
	tests := []struct {
		items     []string
		page      []string
		next      []string
		operation string
	}{
		{nil, nil, nil, "nothing"},
		{[]string{"a"}, []string{"a"}, nil, "less than a page"},
		{[]string{"a", "b"}, []string{"a", "b"}, nil, "exactly a page"},
		{[]string{"a", "b", "c"}, []string{"a", "b"}, []string{"b"}, "more than a page"},
	}
	for _, test := range tests {
		page, next := Cut(test.items, 2, keys)
		if diff := cmp.Diff(test.page, page); diff != "" {
			t.Errorf("%s: page (-want +got):\n%s", test.operation, diff)
		}
		if diff := cmp.Diff(test.next, next); diff != "" {
			t.Errorf("%s: next (-want +got):\n%s", test.operation, diff)
		}
	}
}
