package git_test

import (
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/git"
)

func TestAddress(t *testing.T) {
	for given, want := range map[string]string{
		"https://github.com/acme/docs":                    "https://github.com/acme/docs",
		" https://GitHub.com/acme/docs.git/ ":             "https://github.com/acme/docs",
		"http://git.example.org:3000/a/b/c.git":           "http://git.example.org:3000/a/b/c",
		"https://git.sr.ht/~ada/docs":                     "https://git.sr.ht/~ada/docs",
		"https://dev.azure.com/o/My%20Docs/_git/b":        "https://dev.azure.com/o/My%20Docs/_git/b",
		"https://[::1]:8080/acme/docs":                    "https://[::1]:8080/acme/docs",
		"https://github.com/acme/owls.wiki.git":           "https://github.com/acme/owls.wiki",
		"https://user:secret@github.com/acme/docs":        "",
		"https://token@github.com/acme/docs":              "",
		"https://github.com/acme/docs?x=1":                "",
		"https://github.com/acme/docs#top":                "",
		"https://github.com/acme/docs#":                   "",
		"https://github.com/":                             "",
		"https://github.com/.git":                         "",
		"https://github.com/../docs":                      "",
		"https://github.com/acme/../docs":                 "",
		"https://github.com/acme/%2e%2e/docs":             "",
		"https://github.com/acme//docs":                   "",
		"https://github.com/acme/do\ncs":                  "",
		"https://github.com/acme/do%0Acs":                 "",
		"https://github.com/a%5Cb":                        "",
		"https://exa mple.org/a":                          "",
		"https://exa\"mple.org/a":                         "",
		"https://:80/a":                                   "",
		"https://github.com:/a":                           "",
		"javascript:alert(1)":                             "",
		"javascript://github.com/acme/%0aalert(1)":        "",
		"file:///srv/docs.git":                            "",
		"ssh://git@github.com/acme/docs":                  "",
		"git@github.com:acme/docs.git":                    "",
		"":                                                "",
		"https://github.com/" + strings.Repeat("a", 1000): "",
	} {
		got, err := git.Address(given)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", given, got, err, want)
		}
		if err != nil && (!errs.Is(err, errs.Invalid) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%q: %v", given, err)
		}
		if again, err := git.Address(got); want != "" && (again != got || err != nil) {
			t.Errorf("%q is not its own spelling: %q, %v", got, again, err)
		}
	}
}

func TestRemote(t *testing.T) {
	for given, want := range map[string]string{
		"git@github.com:acme/docs.git":                    "https://github.com/acme/docs",
		"github.com:acme/docs":                            "https://github.com/acme/docs",
		"git@gitlab.example.org:/group/sub/docs.git":      "https://gitlab.example.org/group/sub/docs",
		"ssh://git@github.com:22/acme/docs.git":           "https://github.com/acme/docs",
		"ssh://git@ssh.github.com:443/acme/docs.git":      "https://github.com/acme/docs",
		"git://git.example.org/docs.git":                  "https://git.example.org/docs",
		"git+ssh://git@example.org/docs.git":              "https://example.org/docs",
		"git@ssh.dev.azure.com:v3/acme/My Docs/docs":      "https://dev.azure.com/acme/My%20Docs/_git/docs",
		"https://ada:ghp_secret@github.com/acme/docs.git": "https://github.com/acme/docs",
		"https://acme@dev.azure.com/acme/p/_git/docs":     "https://dev.azure.com/acme/p/_git/docs",
		"http://127.0.0.1:3000/acme/docs.git":             "http://127.0.0.1:3000/acme/docs",
		"/srv/docs.git":                                   "",
		"../docs":                                         "",
		"C:/docs":                                         "",
		`C:\docs`:                                         "",
		"file:///srv/docs.git":                            "",
		"work:acme/docs.git":                              "",
		"ssh://box/docs.git":                              "",
		"ext::sh -c touch% /tmp/x":                        "",
		"":                                                "",
		"git@github.com:":                                 "",
	} {
		if got, err := git.Remote(given); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", given, got, err, want)
		} else if err != nil && (!errs.Is(err, errs.Invalid) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%q: %v", given, err)
		}
	}
}

func TestClean(t *testing.T) {
	good := git.Source{Repository: "https://github.com/acme/docs.git", Ref: "release/2.0", Folder: "/docs/guide/",
		Commit: strings.Repeat("AB", 20), Message: " Say more\n"}
	got, err := good.Clean()
	want := git.Source{Repository: "https://github.com/acme/docs", Ref: "release/2.0", Folder: "docs/guide",
		Commit: strings.Repeat("ab", 20), Message: "Say more"}
	if got != want || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	bad := map[string][]func(*git.Source){"repository": {func(s *git.Source) { s.Repository = "" }}}
	for _, ref := range []string{
		"-x", "refs/heads/main", "a..b", "a b", "a~1", "a^", "a:b", "a?b", "a*", "a[b", `a\b`, "a/", "/a", "a//b", ".a",
		"a/.b", "a.lock", "a.lock/b", "a.",
		"@", "a@{1}", "a\x00", "a\n", "\xff", strings.Repeat("a", 251),
	} {
		bad["ref"] = append(bad["ref"], func(s *git.Source) { s.Ref = ref })
	}
	for _, folder := range []string{"..", "a/../b", "../a", "a//b", "a/./b", `a\b`, "a\x00", "a\nb", "\xff", ".git",
		"a/.git/b", strings.Repeat("a", 1025)} {
		bad["folder"] = append(bad["folder"], func(s *git.Source) { s.Folder = folder })
	}
	for _, commit := range []string{"abc", strings.Repeat("g", 40), strings.Repeat("a", 64), strings.Repeat("a", 41)} {
		bad["commit"] = append(bad["commit"], func(s *git.Source) { s.Commit = commit })
	}
	for field, changes := range bad {
		for _, change := range changes {
			source := good
			change(&source)
			_, err := source.Clean()
			if !errs.Is(err, errs.Invalid) || !strings.Contains(pathOf(err), field) {
				t.Errorf("%s %+v: %v", field, source, err)
			}
		}
	}
	long := good
	long.Message = strings.Repeat("é", 1500)
	if got, err := long.Clean(); err != nil || len(got.Message) != git.MaxMessage || strings.Contains(got.Message,
		"\uFFFD") {
		t.Errorf("a long message has %d bytes, %v", len(got.Message), err)
	}
}

// pathOf is the field that a refusal names.
func pathOf(err error) string {
	var own *errs.Error
	for ; err != nil; err = nil {
		own, _ = err.(*errs.Error)
	}
	if own == nil || len(own.Details) == 0 {
		return ""
	}
	return own.Details[0].Path
}

func TestFile(t *testing.T) {
	source := git.Source{Repository: "https://github.com/acme/docs", Ref: "main", Folder: "docs"}
	oid := git.OID([]byte("x"))
	file := source.File("a/b.md", oid)
	if file == nil || file.Path != "docs/a/b.md" || file.Check() != nil {
		t.Fatalf("%+v", file)
	}
	if long := source.File(strings.Repeat("a", 1024), oid); long != nil {
		t.Errorf("a path that is too long is kept")
	}
	for name, change := range map[string]func(*git.File){
		"repository": func(f *git.File) { f.Repository = "https://u:p@github.com/a/b" }, "spelling": func(f *git.File) {
			f.Repository += ".git"
		},
		"scheme": func(f *git.File) { f.Repository = "javascript:alert(1)" }, "ref": func(f *git.File) {
			f.Ref = "../x"
		},
		"path": func(f *git.File) { f.Path = "../x" }, "no path": func(f *git.File) {
			f.Path = ""
		}, "oid": func(f *git.File) { f.OID = "x" },
	} {
		broken := *file
		change(&broken)
		if err := broken.Check(); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestObjectsAreNamedAsGitDoes compares with Git itself.
func TestObjectsAreNamedAsGitDoes(t *testing.T) {
	for _, content := range []string{"", "x\n", strings.Repeat("line\r\n", 10_000), "\x00\xff"} {
		command := exec.CommandContext(t.Context(), "git", "hash-object", "--stdin")
		command.Dir = t.TempDir()
		command.Stdin = strings.NewReader(content)
		out, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := git.OID([]byte(content)); got != strings.TrimSpace(string(out)) || !git.ValidOID(got) {
			t.Errorf("%d bytes: %s, Git says %s", len(content), got, out)
		}
	}
}

func TestEditAddresses(t *testing.T) {
	for _, c := range []struct{ repository, ref, path, want, host string }{
		{"https://github.com/acme/docs", "main", "docs/a b#c?.md",
			"https://github.com/acme/docs/edit/main/docs/a%20b%23c%3F.md", "GitHub"},
		{"https://github.example.org/acme/docs", "feature/x y", "100%.md",
			"https://github.example.org/acme/docs/edit/feature/x%20y/100%25.md", "GitHub"},
		{"https://gitlab.com/g/s/docs", "main", "ü.md", "https://gitlab.com/g/s/docs/-/edit/main/%C3%BC.md", "GitLab"},
		{"https://gitlab.example.org/docs/x", "a#b", "a.md", "https://gitlab.example.org/docs/x/-/edit/a%23b/a.md",
			"GitLab"},
		{"https://codeberg.org/acme/docs", "main", "a.md", "https://codeberg.org/acme/docs/_edit/main/a.md",
			"Codeberg"},
		{"https://forgejo.example.org/acme/docs", "main", "a.md",
			"https://forgejo.example.org/acme/docs/_edit/main/a.md", "Forgejo"},
		{"https://bitbucket.org/acme/docs", "a/b", "a.md",
			"https://bitbucket.org/acme/docs/src/a/b/a.md?mode=edit&at=a%2Fb", "Bitbucket"},
		{"https://dev.azure.com/o/p/_git/r", "main", "d/a&b.md",
			"https://dev.azure.com/o/p/_git/r?path=%2Fd%2Fa%26b.md&version=GBmain", "Azure DevOps"},
		{"https://git.sr.ht/~ada/docs", "main", "a.md", "https://git.sr.ht/~ada/docs/tree/main/item/a.md", "SourceHut"},
		{"https://code.example.org/acme/docs", "main", "a.md", "https://code.example.org/acme/docs/edit/main/a.md", ""},
		{"https://github.com/acme/docs", "", "a.md", "", "GitHub"},
		{"https://github.com/acme/owls.wiki", "master", "guide/Set-up.md",
			"https://github.com/acme/owls/wiki/Set-up/_edit", "GitHub"},
		{"https://gitlab.com/acme/owls.wiki", "master", "guide/Set up.md",
			"https://gitlab.com/acme/owls/-/wikis/guide/Set%20up/edit", "GitLab"},
		{"https://codeberg.org/acme/owls.wiki", "", "Home.md", "https://codeberg.org/acme/owls/wiki/Home?action=_edit",
			"Codeberg"},
	} {
		file := &git.File{Repository: c.repository, Ref: c.ref, Path: c.path, OID: git.OID(nil)}
		if got := file.EditAddress(); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.repository, c.ref, c.path, got, c.want)
		}
		if host := git.HostOf(c.repository); host.Name != c.host {
			t.Errorf("%s: host %q, want %q", c.repository, host.Name, c.host)
		}
	}
	if none := (*git.File)(nil).EditAddress(); none != "" {
		t.Errorf("no file: %q", none)
	}
}

func TestCommitAddresses(t *testing.T) {
	commit := strings.Repeat("ab", 20)
	for repository, want := range map[string]string{
		"https://github.com/acme/docs":      "https://github.com/acme/docs/commit/" + commit,
		"https://gitlab.com/acme/docs":      "https://gitlab.com/acme/docs/-/commit/" + commit,
		"https://bitbucket.org/acme/docs":   "https://bitbucket.org/acme/docs/commits/" + commit,
		"https://codeberg.org/acme/docs":    "https://codeberg.org/acme/docs/commit/" + commit,
		"https://git.example.org/acme/docs": "",
		"https://github.com/acme/owls.wiki": "",
	} {
		if got := (git.Source{Repository: repository, Commit: commit}).CommitAddress(); got != want {
			t.Errorf("%s: %q, want %q", repository, got, want)
		}
	}
	if got := (git.Source{Repository: "https://github.com/acme/docs"}).CommitAddress(); got != "" {
		t.Errorf("no commit: %q", got)
	}
	if name := git.Name("https://gitlab.com/g/s/docs"); name != "g/s/docs" {
		t.Errorf("name %q", name)
	}
}

// FuzzAddresses holds that whatever is taken in gives an edit address on the same host, with the path in it and nothing
// else.
func FuzzAddresses(f *testing.F) {
	f.Add("git@github.com:acme/docs.git", "main", "docs", "a.md")
	f.Add("https://u:p@gitlab.com/a/b?c#d", "a/b", "", "x y%.md")
	f.Fuzz(func(t *testing.T, remote, ref, folder, name string) {
		repository, err := git.Remote(remote)
		if err != nil {
			return
		}
		source, err := git.Source{Repository: repository, Ref: ref, Folder: folder}.Clean()
		if err != nil {
			return
		}
		file := source.File(name, git.OID(nil))
		if file == nil {
			return
		}
		if err := file.Check(); err != nil {
			t.Fatalf("%+v: %v", file, err)
		}
		address := file.EditAddress()
		if address == "" {
			return
		}
		u, err := url.Parse(address)
		if err != nil || u.User != nil || u.Fragment != "" || !strings.HasPrefix(address, "http") {
			t.Fatalf("%q of %+v: %v", address, file, err)
		}
		of, err := url.Parse(repository)
		if err != nil || of.Host != u.Host {
			t.Fatalf("%q leads to another host than %q", address, repository)
		}
	})
}
