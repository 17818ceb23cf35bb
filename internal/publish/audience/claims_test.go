package audience_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/publish/audience"
)

type object = map[string]any

func TestVisitorHasOnlyWhatTheSchemaNames(t *testing.T) {
	empty := object{"org": object{}, "unsigned": object{"shop": object{}}}
	for name, test := range map[string]struct {
		signed, unsigned, want object
	}{
		"nobody": {nil, nil, empty},
		"everything": {object{"isBeta": true, "seats": 3.0, "name": "Ada",
			"org": object{"isPartner": true}}, object{"size": 1.0}, object{"isBeta": true, "seats": 3.0, "name": "Ada",
			"org": object{"isPartner": true}, "unsigned": object{"size": 1.0, "shop": object{}}}},
		"not in the schema": {object{"isAdmin": true, "exp": 1.0, "isBeta": false}, object{"isBeta": true},
			object{"isBeta": false, "org": object{}, "unsigned": object{"shop": object{}}}},
		"nested not in it": {object{"org": object{"isPartner": true, "isOwner": true}}, nil, empty},
		"other types": {object{"isBeta": "true", "seats": "3", "name": 1.0, "roles": "admin", "org": true},
			object{"language": true}, empty},
		"not one of the choices": {object{"plan": "enterprise", "roles": []any{"owner"}}, object{"language": "fr"},
			empty},
		"unsigned as signed": {object{"unsigned": object{"isDark": true}}, nil, empty},
		"one bad, one good": {object{"isBeta": 1.0, "plan": "free"}, nil, object{"plan": "free", "org": object{},
			"unsigned": object{"shop": object{}}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, schema(t, wholeSchema).Visitor(audience.Token{Claims: test.signed},
				test.unsigned)); diff != "" {
				t.Error(diff)
			}
		})
	}
	var none *audience.Schema
	if diff := cmp.Diff(object{"unsigned": object{}}, none.Visitor(audience.Token{Claims: object{"isBeta": true}},
		object{"x": true})); diff != "" {
		t.Error("without a schema: " + diff)
	}
}

func TestQueryClaims(t *testing.T) {
	made := schema(t, wholeSchema)
	for query, want := range map[string]object{
		"visitor.language=de":                                 {"language": "de"},
		"visitor.claims.unsigned.language=de":                 {"language": "de"},
		"visitor.unsigned.language=de":                        {"language": "de"},
		"visitor.isDark=true&visitor.size=2.5&q=x":            {"isDark": true, "size": 2.5},
		"visitor.isDark=yes&visitor.size=NaN&visitor.x=1":     {},
		"visitor.tags=a&visitor.tags=b":                       {"tags": []any{"a", "b"}},
		"visitor.shop.isOpen=true":                            {"shop": object{"isOpen": true}},
		"visitor.shop=true&visitor.shop.x=1&visitor.size.a=1": {"shop": object{}},
		"visitor.plan=free&visitor.isBeta=true":               {},
		"visitor.=1&visitor..=2&visitor.shop.=1":              {"shop": object{}},
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		got, found := made.QueryClaims(values)
		if diff := cmp.Diff(want, got); diff != "" || !found {
			t.Errorf("%s: found %v\n%s", query, found, diff)
		}
	}
	if _, found := made.QueryClaims(url.Values{"q": {"x"}}); found {
		t.Error("claims in an address without any")
	}
}

func TestCookieOfUnsignedClaims(t *testing.T) {
	claims := object{"language": "de", "shop": object{"isOpen": true}, "a": "ü;, \""}
	cookie, ok := audience.WriteUnsigned(claims)
	if !ok {
		t.Fatal("not written")
	}
	if diff := cmp.Diff(claims, audience.ReadUnsigned(cookie)); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "x", "%", "[]", "null", "%7B", strings.Repeat("x", 100_000)} {
		if got := audience.ReadUnsigned(bad); got != nil {
			t.Errorf("%.20q gives %v", bad, got)
		}
	}
	if _, ok := audience.WriteUnsigned(object{"a": strings.Repeat("x", audience.MaxUnsigned)}); ok {
		t.Error("a cookie that no browser keeps")
	}
	merged := audience.Merge(object{"a": 1.0, "o": object{"x": 1.0, "y": 1.0}}, object{"a": 2.0, "o": object{"y": 2.0}})
	if diff := cmp.Diff(object{"a": 2.0, "o": object{"x": 1.0, "y": 2.0}}, merged); diff != "" {
		t.Error(diff)
	}
}
