package wiki

import (
	"bufio"
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/git"
)

// TestTreesSayTheirCommit compares what is noted with what Git says of the repository.
func TestTreesSayTheirCommit(t *testing.T) {
	root := t.TempDir()
	wiki := repository(t, root, "acme/owls.wiki.git", map[string]string{"Home.md": "old\n"}, pages)
	book := repository(t, root, "book.git", map[string]string{"src/SUMMARY.md": "# Summary\n\n[A](a.md)\n",
		"src/a.md": "# A\r\n\r\nText.\r\n", "book.toml": "[book]\n"})
	runGit(t, book, "checkout", "-q", "-b", "release/2")
	runGit(t, book, "commit", "-q", "--allow-empty", "-m", "Say more\n\nAnd why.")
	runGit(t, book, "tag", "-a", "-m", "a tag", "v2")
	address := host(t, root)
	for name, c := range map[string]struct{ at, dir, repository, branch, message string }{
		"wiki":       {"/acme/owls/wiki", filepath.Join(wiki, ".git"), "/acme/owls.wiki", "master", "pages"},
		"repository": {"/book.git", filepath.Join(book, ".git"), "/book", "release/2", "Say more\n\nAnd why."},
	} {
		tree, err := Read(t.Context(), loopback(t), address+c.at, &source.Texts{Dir: t.TempDir()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close()
		want := git.Source{Repository: address + c.repository, Ref: c.branch, Commit: runGit(t, c.dir, "rev-parse",
			"HEAD"), Message: c.message}
		if tree.Origin == nil || *tree.Origin != want {
			t.Errorf("%s: %+v, want %+v", name, tree.Origin, want)
		}
		documents := 0
		tree.Walk(func(page, _ *source.Page) {
			if page.OID == "" {
				return
			}
			documents++
			if oid := runGit(t, c.dir, "rev-parse", "HEAD:"+page.Place); page.OID != oid {
				t.Errorf("%s: %s is %s, Git says %s", name, page.Place, page.OID, oid)
			}
		})
		if documents == 0 {
			t.Errorf("%s: no page says which file it is", name)
		}
	}
}

// TestDefaultBranches reads lists of references as servers send them.
func TestDefaultBranches(t *testing.T) {
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	for name, c := range map[string]struct {
		lines  []string
		commit string
		branch string
	}{
		"said": {[]string{a + " HEAD\x00symref=HEAD:refs/heads/x/y agent=git", a + " refs/heads/main",
			a + " refs/heads/x/y"}, a, "x/y"},
		"guessed": {[]string{a + " HEAD\x00agent=git", b + " refs/heads/main", a + " refs/heads/trunk"}, a,
			"trunk"},
		"guessed by name":   {[]string{a + " HEAD\x00", a + " refs/heads/dev", a + " refs/heads/main"}, a, "main"},
		"without HEAD":      {[]string{b + " refs/heads/dev\x00", a + " refs/heads/master"}, a, "master"},
		"the first":         {[]string{b + " refs/heads/dev\x00", a + " refs/heads/live"}, b, "dev"},
		"of no branch":      {[]string{a + " HEAD\x00", b + " refs/heads/main"}, a, ""},
		"said of no branch": {[]string{a + " HEAD\x00symref=HEAD:refs/pull/1", b + " refs/heads/main"}, a, ""},
	} {
		var sent bytes.Buffer
		for _, line := range c.lines {
			writePacket(&sent, line+"\n")
		}
		sent.WriteString("0000")
		found, err := headOf(bufio.NewReader(&sent), "https://example.org/a.git")
		if err != nil || found.commit.String() != c.commit || found.branch != c.branch {
			t.Errorf("%s: %s at %s, %v", name, found.branch, found.commit, err)
		}
	}
}
