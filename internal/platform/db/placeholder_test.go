package db

import (
	"strings"
	"testing"
)

func TestRewrite(t *testing.T) {
	tests := []struct{ query, want string }{
		{`SELECT 1`, `SELECT 1`},
		{`a = $1 AND b = $12`, `a = ?1 AND b = ?12`},
		{`$2,$1,$2`, `?2,?1,?2`},
		{`'$1' = $1`, `'$1' = ?1`},
		{`'it''s $1' = $1`, `'it''s $1' = ?1`},
		{`"a$1" = $1`, `"a$1" = ?1`},
		{"`a$1` = $1", "`a$1` = ?1"},
		{`[a$1] = $1`, `[a$1] = ?1`},
		{"$1 -- not $2\n AND $3", "?1 -- not $2\n AND ?3"},
		{`$1 /* not $2 '*/ AND $3`, `?1 /* not $2 '*/ AND ?3`},
		{`/*/ $1 */ $2`, `/*/ $1 */ ?2`},
		{`a $ b`, `a $ b`},
		{`a $`, `a $`},
		{`'open $1`, `'open $1`},
		{`/* open $1`, `/* open $1`},
		{`-- open $1`, `-- open $1`},
		{`a - $1 / $2`, `a - ?1 / ?2`},
	}
	for _, test := range tests {
		if got := rewrite(SQLite, test.query); got != test.want {
			t.Errorf("rewrite(%q) = %q, want %q", test.query, got, test.want)
		}
		if got := rewrite(Postgres, test.query); got != test.query {
			t.Errorf("PostgreSQL gets %q for %q", got, test.query)
		}
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add(`SELECT '$1', "b", $1 /* c */ -- d`)
	f.Fuzz(func(t *testing.T, query string) {
		got := rewrite(SQLite, query)
		if len(got) != len(query) || strings.ReplaceAll(got, "?", "$") != strings.ReplaceAll(query, "?", "$") {
			t.Errorf("rewrite(%q) = %q: more than placeholders changed", query, got)
		}
	})
}

func TestLikePattern(t *testing.T) {
	if got := LikePattern("50%_!"); got != "%50!%!_!!%" {
		t.Error(got)
	}
}
