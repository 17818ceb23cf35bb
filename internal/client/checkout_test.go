package client

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/git"
)

// runGit runs Git in a folder and returns what it says.
func runGit(t *testing.T, dir string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "git",
		append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main",
			"-c", "protocol.file.allow=always"}, arguments...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
	return strings.TrimSpace(string(out))
}

// newCheckout makes a repository with one commit and a remote, and returns its folder and the commit.
func newCheckout(t *testing.T, remote string) (folder, commit string) {
	t.Helper()
	folder = t.TempDir()
	runGit(t, folder, "init", "-q", ".")
	writeFile(t, filepath.Join(folder, "docs/guide/a.md"), "# A\n")
	runGit(t, folder, "add", "-A")
	runGit(t, folder, "commit", "-q", "-m", "first")
	if remote != "" {
		runGit(t, folder, "remote", "add", "origin", remote)
	}
	return folder, runGit(t, folder, "rev-parse", "HEAD")
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

const acme = "https://github.com/acme/docs"

// TestOriginOf compares what is read with what Git made.
func TestOriginOf(t *testing.T) {
	for name, c := range map[string]struct {
		arrange func(t *testing.T, folder string)
		// at is what is imported, below the folder; branch is asked for.
		at, branch string
		want       git.Source
	}{
		"the whole checkout": {want: git.Source{Repository: acme, Ref: "main"}},
		"a folder":           {at: "docs/guide", want: git.Source{Repository: acme, Ref: "main", Folder: "docs/guide"}},
		"a page": {at: "docs/guide/a.md", want: git.Source{Repository: acme, Ref: "main",
			Folder: "docs/guide"}},
		"packed references": {arrange: func(t *testing.T, folder string) { runGit(t, folder, "pack-refs", "--all") },
			want: git.Source{Repository: acme, Ref: "main"}},
		"a branch with a slash": {
			arrange: func(t *testing.T, folder string) { runGit(t, folder, "checkout", "-q", "-b", "release/2.0") },
			want:    git.Source{Repository: acme, Ref: "release/2.0"},
		},
		"a branch of another name at the remote": {
			arrange: func(t *testing.T, folder string) {
				runGit(t, folder, "config", "branch.main.remote", "origin")
				runGit(t, folder, "config", "branch.main.merge", "refs/heads/trunk")
			},
			want: git.Source{Repository: acme, Ref: "trunk"},
		},
		"a branch that is named": {branch: "live", want: git.Source{Repository: acme, Ref: "live"}},
		"a commit that a branch of the remote has": {
			arrange: func(t *testing.T, folder string) {
				runGit(t, folder, "update-ref", "refs/remotes/origin/develop", "HEAD")
				runGit(t, folder, "update-ref", "refs/remotes/origin/live", "HEAD")
				runGit(t, folder, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/live")
				runGit(t, folder, "checkout", "-q", "--detach")
			},
			want: git.Source{Repository: acme, Ref: "live"},
		},
		"a commit that a packed branch has": {
			arrange: func(t *testing.T, folder string) {
				runGit(t, folder, "update-ref", "refs/remotes/origin/b", "HEAD")
				runGit(t, folder, "update-ref", "refs/remotes/origin/a", "HEAD")
				runGit(t, folder, "pack-refs", "--all")
				runGit(t, folder, "checkout", "-q", "--detach")
			},
			want: git.Source{Repository: acme, Ref: "a"},
		},
		"other writings of the remote": {
			arrange: func(t *testing.T, folder string) {
				writeFile(t, filepath.Join(folder, ".git/config"), "# comment\n[core]\n\tbare = false ; comment\n"+
					"[Remote \"upstream\"] url = https://github.com/other/docs\n"+
					"[REMOTE \"origin\"]\n\tURL = \"https://ada:sec\\\nret@github.com/acme/\"docs.git # comment\n"+
					"\turl = https://github.com/second/docs\n")
			},
			want: git.Source{Repository: acme, Ref: "main"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder, commit := newCheckout(t, "git@github.com:acme/docs.git")
			if c.arrange != nil {
				c.arrange(t, folder)
			}
			c.want.Commit = commit
			got, err := originOf(filepath.Join(folder, c.at), c.branch)
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestOriginOfWorktreesAndSubmodules(t *testing.T) {
	folder, _ := newCheckout(t, "ssh://git@gitlab.example.org/acme/docs.git")
	worktree := filepath.Join(t.TempDir(), "tree")
	runGit(t, folder, "worktree", "add", "-q", "-b", "other", worktree)
	writeFile(t, filepath.Join(worktree, "docs/b.md"), "# B\n")
	runGit(t, worktree, "add", "-A")
	runGit(t, worktree, "commit", "-q", "-m", "second")
	got, err := originOf(filepath.Join(worktree, "docs"), "")
	want := git.Source{Repository: "https://gitlab.example.org/acme/docs", Ref: "other", Folder: "docs",
		Commit: runGit(t, worktree, "rev-parse", "HEAD")}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("worktree: %v (-want +got):\n%s", err, diff)
	}
	outer, _ := newCheckout(t, "https://github.com/acme/outer")
	runGit(t, outer, "submodule", "add", "-q", folder, "inner")
	runGit(t, filepath.Join(outer, "inner"), "remote", "set-url", "origin", "https://github.com/acme/inner")
	got, err = originOf(filepath.Join(outer, "inner/docs"), "")
	want = git.Source{Repository: "https://github.com/acme/inner", Ref: "main", Folder: "docs",
		Commit: runGit(t, folder, "rev-parse", "HEAD")}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("submodule: %v (-want +got):\n%s", err, diff)
	}
}

// TestOriginOfNothing has checkouts that do not tell where they are from. None of these ends an import.
func TestOriginOfNothing(t *testing.T) {
	if _, err := originOf(t.TempDir(), ""); err != errNoCheckout {
		t.Errorf("no checkout: %v", err)
	}
	for name, c := range map[string]struct {
		remote  string
		arrange func(t *testing.T, folder string)
		says    string
	}{
		"no remote":   {"", nil, "no remote"},
		"a local one": {"/srv/docs.git", nil, "not an address"},
		"an SSH name": {"work:acme/docs", nil, "not an address"},
		"a helper":    {"ext::sh -c true", nil, "not an address"},
		"a lone commit": {acme, func(t *testing.T, folder string) {
			runGit(t, folder, "checkout", "-q", "--detach")
			runGit(t, folder, "commit", "-q", "--allow-empty", "-m", "more")
		}, "--git-ref"},
		"SHA-256": {acme, func(t *testing.T, folder string) {
			runGit(t, folder, "config", "extensions.objectFormat", "sha256")
		}, "SHA-1"},
		"reftable": {acme, func(t *testing.T, folder string) {
			runGit(t, folder, "config", "extensions.refStorage", "reftable")
		}, "reftable"},
		"a damaged HEAD": {acme, func(t *testing.T, folder string) {
			writeFile(t, filepath.Join(folder, ".git/HEAD"), "ref: ../../etc/passwd\n")
		}, "no branch"},
		"a way out": {acme, func(t *testing.T, folder string) {
			writeFile(t, filepath.Join(folder, ".git/HEAD"), "ref: refs/heads/../../../x\n")
		}, ""},
		"a large HEAD": {acme, func(t *testing.T, folder string) {
			writeFile(t, filepath.Join(folder, ".git/HEAD"), strings.Repeat("x", 2<<20))
		}, "checked out"},
		"a damaged file": {acme, func(t *testing.T, folder string) {
			writeFile(t, filepath.Join(folder, ".git/refs/heads/main"), "../../x")
		}, "commit"},
		"a file that misled": {acme, func(t *testing.T, folder string) {
			if err := os.RemoveAll(filepath.Join(folder, ".git")); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(folder, ".git"), "gitdir: /dev/null\n")
		}, "configuration"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, _ := newCheckout(t, c.remote)
			if c.arrange != nil {
				c.arrange(t, folder)
			}
			got, err := originOf(folder, "")
			if err == nil || err == errNoCheckout || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v, %v; want an error that says %q", got, err, c.says)
			}
		})
	}
}

// TestBranchesWithoutCommits: there is nothing that a page could have come from yet, but a folder can be imported.
func TestBranchesWithoutCommits(t *testing.T) {
	folder := t.TempDir()
	runGit(t, folder, "init", "-q", ".")
	runGit(t, folder, "remote", "add", "origin", acme)
	got, err := originOf(folder, "")
	if want := (git.Source{Repository: acme, Ref: "main"}); got != want || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzGitConfig(f *testing.F) {
	f.Add("[remote \"origin\"]\n\turl = a\\\nb # c\n")
	f.Add("[a \"\\\"]\nx=\"")
	f.Fuzz(func(t *testing.T, text string) {
		for at, value := range parseGitConfig(text) {
			if strings.Count(at, "\x00") < 2 && !strings.Contains(text, "\x00") || len(value) > len(text) {
				t.Fatalf("%q is %q", at, value)
			}
		}
	})
}
