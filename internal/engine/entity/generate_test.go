package entity_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
)

func cases(t *testing.T) int {
	t.Helper()
	return propertytest.Cases(t, 2000, 1)
}

func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func randomText(r *rand.Rand) string {
	return pick(r, "", "", "Title", `quotes " and \ back`, "Ünïcödé 漢字 \u2028 \U0001F600", "<b>&amp;</b>",
		strings.Repeat("x", r.IntN(20)))
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) == 0
	case n == 2:
		return pick(r, 0.0, 1, -1, 0.1, 1e21, 1e-7, 123456789.25, 5e-324, 1.7976931348623157e308)
	case n == 3 && depth > 0:
		list := make([]any, r.IntN(3))
		for i := range list {
			list[i] = randomValue(r, depth-1)
		}
		return list
	case n == 4 && depth > 0:
		return randomMap(r, depth-1)
	}
	return randomText(r) + "\t\n\x01"
}

func randomMap(r *rand.Rand, depth int) map[string]any {
	m := map[string]any{}
	for range r.IntN(4) {
		m[pick(r, "a", "b", "c d", "é", "z")] = randomValue(r, depth)
	}
	return m
}

func randomHash(r *rand.Rand) string { return fmt.Sprintf("%064x", r.Uint64()) }

// randomPage returns a valid page in which any field may be set.
func randomPage(r *rand.Rand) *entity.Entry {
	e := &entity.Entry{
		ID: "page_" + strconv.Itoa(r.IntN(1000)), Kind: entity.KindPage, Type: entity.PageDocument,
		Parent: pick(r, "", "page_x"), Position: pick(r, entity.Positions(9)...), Slug: pick(r, "", "slug", "übung"),
		Title: randomText(r), LinkTitle: randomText(r), Emoji: pick(r, "", "😀"), Icon: pick(r, "", "book"),
		Description: randomText(r), Condition: pick(r, "", "a > b && c"), Owner: pick(r, "", "user_a1"),
		Flags: entity.Flags{Hidden: r.IntN(2) == 0, NoIndex: r.IntN(2) == 0},
		Path:  pick(r, "", "dir/page.md"), CreatedAt: r.Int64N(3), UpdatedAt: r.Int64(),
		Body: pick(r, "", randomHash(r)),
	}
	if r.IntN(3) == 0 {
		e.Layout = &entity.Layout{Width: pick(r, "", "wide"), Cover: new(r.IntN(2) == 0), Anchors: new(true)}
	}
	if r.IntN(3) == 0 {
		e.Cover = &entity.Cover{Ref: &doc.Ref{Kind: "file", File: "file_1"}, YPos: float64(r.IntN(3)),
			Height: 1.5}
	}
	if r.IntN(3) == 0 {
		e.Tags = []entity.Tag{{Tag: "one", Primary: true}, {Tag: "two"}}
	}
	if r.IntN(3) == 0 {
		e.Extra = randomMap(r, 3)
	}
	if r.IntN(3) == 0 {
		e.Variables = map[string]any{"name": "text", "n": float64(r.IntN(5)), "yes": true}
	}
	if r.IntN(3) == 0 {
		e.Git = &git.File{
			Repository: pick(r, "https://github.com/acme/docs", "https://git.example.org/a/b"),
			Ref:        pick(r, "", "main", "release/2"),
			Path:       pick(r, "README.md", "docs/a b.md"), OID: randomHash(r)[24:],
		}
	}
	switch r.IntN(6) {
	case 0:
		e.Type, e.Body, e.Target = entity.PageLink, "", &doc.Ref{Kind: "anchor", Anchor: "a", Page: "page_1",
			Space: "space_1"}
	case 1:
		e.Type, e.Body = entity.PageComputed, ""
		e.Computed = &entity.Computed{Type: "builtin:openapi", Props: randomMap(r, 2), Dependencies: randomMap(r, 2)}
	}
	return e
}
