package wiki

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

func loopback(t *testing.T) *fetch.Client {
	t.Helper()
	client := fetch.New(fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	t.Cleanup(client.CloseIdle)
	return client
}

// runGit runs git in a folder.
func runGit(t *testing.T, dir string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "git",
		append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=master"},
			arguments...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
	return strings.TrimSpace(string(out))
}

// host serves the repositories below a folder as a Git host does, and returns its address.
func host(t *testing.T, root string) string {
	t.Helper()
	backend := &cgi.Handler{
		Path: filepath.Join(runGit(t, root, "--exec-path"), "git-http-backend"),
		Env:  []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=/dev/null"},
	}
	server := httptest.NewServer(backend)
	t.Cleanup(server.Close)
	return server.URL
}

// repository makes a repository with files at a path below root. Each map of files is a commit.
func repository(t *testing.T, root, name string, commits ...map[string]string) string {
	t.Helper()
	dir := filepath.Join(root, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "init", "-q", ".")
	for _, files := range commits {
		for file, content := range files {
			full := filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if target, ok := strings.CutPrefix(content, "-> "); ok {
				if err := os.Symlink(target, full); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		runGit(t, dir, "add", "-A")
		runGit(t, dir, "commit", "-q", "-m", "pages")
	}
	runGit(t, dir, "repack", "-q", "-a", "-d", "-f", "--depth=50")
	return dir
}

var pages = map[string]string{
	"Home.md": "# Home\n\nWelcome to [[Getting Started]], [[the setup|Set up#first-steps]], [by " +
		"name](Getting-Started), `[[not this]]` and [gone](Nowhere).\n\n```\n[[nor this]]\n```\n\n" +
		"[[images/owl.png|alt=An owl]]\n",
	"Getting-Started.md": "[[_TOC_]]\n\nIn [the set up](/acme/owls/wiki/Set-up) there is a " +
		"![picture](images/owl.png).\n",
	"Set-up.md":         "## First steps\n\nBack [[Home]].\n",
	"Unlisted.md":       "Alone.\n",
	"Old.rst":           "Old\n===\n",
	"_Sidebar.md":       "* [[Home]]\n\n### Guide\n\n* [[Getting Started]]\n  * [[Set up]]\n",
	"_Footer.md":        "footer",
	"images/owl.png":    "png bytes",
	"images/unused.png": "more",
}

func describe(tree *source.Tree) string {
	var out strings.Builder
	depth := map[*source.Page]int{}
	tree.Walk(func(page, parent *source.Page) {
		if parent != nil {
			depth[page] = depth[parent] + 1
		}
		fmt.Fprintf(&out, "===== %s%s (%s)\n%s", strings.Repeat("> ", depth[page]), page.Entry.Title, page.Entry.Type,
			page.Body)
		for _, use := range links.All([]byte(page.Body.String())) {
			switch found := tree.Resolve(page.Base, use.Destination); found.Kind {
			case source.ToPage:
				fmt.Fprintf(&out, "-> page %s#%s\n", found.Page.Entry.Title, found.Anchor)
			case source.ToFile:
				fmt.Fprintf(&out, "-> file %s\n", found.File.Place)
			case source.Broken:
				fmt.Fprintf(&out, "-> broken %s\n", use.Destination)
			}
		}
	})
	for _, note := range append(tree.Report.Skipped.Items, tree.Report.NotUnderstood.Items...) {
		fmt.Fprintf(&out, "%s: %s\n", note.Place, note.Message)
	}
	return out.String()
}

func TestWikiOverGit(t *testing.T) {
	root := t.TempDir()
	long := strings.Repeat("a line that stays the same\n", 400)
	repository(t, root, "acme/owls.wiki.git", map[string]string{"Unlisted.md": "Old text.\n", "Gone.md": "x",
		"images/big.txt": long}, pages,
		map[string]string{"images/big.txt": long + "and one more\n", "images/bigger.txt": long + long})
	runGit(t, filepath.Join(root, "acme/owls.wiki.git"), "rm", "-q", "Gone.md")
	runGit(t, filepath.Join(root, "acme/owls.wiki.git"), "commit", "-q", "-m", "gone")
	address := host(t, root)
	temp := t.TempDir()
	var said []string
	tree, err := Read(t.Context(), loopback(t), address+"/acme/owls/wiki", &source.Texts{Dir: temp},
		func(message string) { said = append(said, message) })
	if err != nil {
		t.Fatal(err)
	}
	want := "===== Home (document)\n" +
		"Welcome to [Getting Started](Getting-Started), [the setup](Set-up#first-steps), [by name](Getting-Started), " +
		"`[[not this]]` and [gone](Nowhere).\n\n```\n[[nor this]]\n```\n\n![An owl](images/owl.png)\n" +
		"-> page Getting Started#\n-> page Set up#first-steps\n-> page Getting Started#\n-> broken Nowhere\n-> file " +
		"images/owl.png\n" +
		"===== Guide (group)\n" +
		"===== > Getting Started (document)\n\n\nIn [the set up](/acme/owls/wiki/Set-up) there is a " +
		"![picture](images/owl.png).\n-> page Set up#\n-> file images/owl.png\n" +
		"===== > > Set up (document)\n## First steps\n\nBack [Home](Home).\n-> page Home#\n" +
		"===== Unlisted (document)\nAlone.\n" +
		"Old.rst: the page is in reStructuredText; only Markdown is read\n_Footer.md: it is shown around every page " +
		"of the wiki, and is no page\n" +
		"images/big.txt: no page names this file\nimages/bigger.txt: no page names this file\nimages/unused.png: no " +
		"page names this file\n" +
		"Getting-Started.md: left out: table of contents\n"
	if diff := cmp.Diff(want, describe(tree)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(said) == 0 {
		t.Error("nothing was said of the progress")
	}
	if len(tree.Files) != 1 {
		t.Fatalf("files: %v", tree.Files)
	}
	content, err := tree.Files[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(content); string(data) != "png bytes" || err != nil {
		t.Errorf("image: %q, %v", data, err)
	}
	if err := tree.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRepositoryOfMarkdown(t *testing.T) {
	root := t.TempDir()
	repository(t, root, "docs.git", map[string]string{"README.md": "# Docs\n\n[b](b.md)\n", "b.md": "# B\n",
		"SUMMARY.md": "# Table of contents\n\n* [Docs](README.md)\n* [B](b.md)\n", ".github/x.md": "# no\n"})
	tree, err := Read(t.Context(), loopback(t), host(t, root)+"/docs.git", &source.Texts{Dir: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if len(tree.Pages) != 2 || tree.Pages[1].Entry.Title != "B" {
		t.Errorf("pages: %s", describe(tree))
	}
}

// TestOneBadFile holds that a symbolic link and a name that another file has in other letters keep no page out, and are
// named.
func TestOneBadFile(t *testing.T) {
	root := t.TempDir()
	for name, home := range map[string]string{"r.git": "a.md", "r.wiki.git": "Home.md"} {
		repository(t, root, name, map[string]string{home: "x", "Evil.md": "-> /etc/passwd", "Two.md": "x",
			"two.md": "y"})
		tree, err := Read(t.Context(), loopback(t), host(t, root)+"/"+name, &source.Texts{Dir: t.TempDir()}, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var left []string
		for _, note := range tree.Report.Skipped.Items {
			left = append(left, note.Place)
		}
		if !slices.Equal(left, []string{"two.md", "Evil.md"}) || len(tree.Pages) != 2 {
			t.Errorf("%s: left out: %v, pages: %s", name, left, describe(tree))
		}
		tree.Close()
	}
}

func TestRepositoriesThatAreRefused(t *testing.T) {
	root := t.TempDir()
	repository(t, root, "binary.git", map[string]string{"Home.md": "\xff\x00"})
	repository(t, root, "none.git", map[string]string{"a.txt": "x"})
	if err := os.MkdirAll(filepath.Join(root, "empty.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	runGit(t, filepath.Join(root, "empty.git"), "init", "-q", "--bare", ".")
	address := host(t, root)
	for name, says := range map[string]string{
		"binary.git": "not text", "none.git": "no page", "empty.git": "empty",
		"missing.git": "not public",
	} {
		temp := t.TempDir()
		_, err := Read(t.Context(), loopback(t), address+"/"+name, &source.Texts{Dir: temp}, nil)
		if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", name, err, says)
		}
		if left, _ := os.ReadDir(temp); len(left) > 0 {
			t.Errorf("%s left behind: %v", name, left)
		}
	}
}

func TestPrivateNetworksAreRefused(t *testing.T) {
	guarded := fetch.New(fetch.Options{})
	for _, address := range []string{"http://127.0.0.1:1/a.git", "http://10.0.0.1/a.git",
		"http://169.254.169.254/o/r/wiki", "http://[::1]/a.git"} {
		if _, err := Read(t.Context(), guarded, address, &source.Texts{Dir: t.TempDir()}, nil); !errs.Is(err,
			errs.Invalid) {
			t.Errorf("%s: %v", address, err)
		}
	}
	// A public address must not lead to a private one either.
	server := httptest.NewServer(http.RedirectHandler("http://10.0.0.1/a.git/info/refs", http.StatusFound))
	defer server.Close()
	if _, err := Read(t.Context(), loopback(t), server.URL+"/a.git", &source.Texts{Dir: t.TempDir()}, nil); !errs.Is(
		err, errs.Invalid) || !strings.Contains(err.Error(), "10.0.0.1") {
		t.Errorf("redirect: %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/acme/owls/wiki":              "https://github.com/acme/owls.wiki.git",
		"https://github.com/acme/owls/wiki/Some-Page":    "https://github.com/acme/owls.wiki.git",
		"https://github.com/acme/owls":                   "https://github.com/acme/owls.wiki.git",
		"https://github.com/acme/owls.wiki.git":          "https://github.com/acme/owls.wiki.git",
		"https://gitlab.com/acme/sub/owls/-/wikis/home":  "https://gitlab.com/acme/sub/owls.wiki.git",
		"https://git.example.org/docs.git?x=1#y":         "https://git.example.org/docs.git",
		"https://example.org/":                           "",
		"https://github.com/acme":                        "",
		"ssh://git@github.com/acme/owls.git":             "",
		"https://user:secret@github.com/acme/owls/wiki":  "",
		"file:///srv/owls.git":                           "",
		"git@github.com:acme/owls.git":                   "",
		"ext::sh -c touch% /tmp/pwned.git":               "",
		"https://github.com/acme/../../etc/passwd/x.git": "https://github.com/etc/passwd/x.git",
	} {
		got, err := Repository(address)
		if got != want || (want == "") != errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}

// packOf builds a pack of objects as they stand in it, and writes it to a file.
func packOf(t *testing.T, objects ...[]byte) *os.File {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("PACK")
	binary.Write(&out, binary.BigEndian, uint32(2))
	binary.Write(&out, binary.BigEndian, uint32(len(objects)))
	for _, object := range objects {
		out.Write(object)
	}
	out.Write(make([]byte, 20))
	file, err := os.Create(filepath.Join(t.TempDir(), "pack"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if _, err := file.Write(out.Bytes()); err != nil {
		t.Fatal(err)
	}
	return file
}

// entry writes an object of a kind that says it has a size.
func entry(kind int, size int, between, content []byte) []byte {
	var out bytes.Buffer
	b := byte(kind<<4 | size&15)
	for size >>= 4; size > 0; size >>= 7 {
		out.WriteByte(b | 0x80)
		b = byte(size & 0x7f)
	}
	out.WriteByte(b)
	out.Write(between)
	packed := zlib.NewWriter(&out)
	packed.Write(content)
	packed.Close()
	return out.Bytes()
}

// doubling returns a change that writes the base of a size twice.
func doubling(size int) []byte {
	out := binary.AppendUvarint(nil, uint64(size))
	out = binary.AppendUvarint(out, uint64(2*size))
	for range 2 {
		for left, at := size, 0; left > 0; {
			n := min(left, 0xffffff)
			out = append(out, 0xff, byte(at), byte(at>>8), byte(at>>16), byte(at>>24), byte(n), byte(n>>8), byte(n>>16))
			left, at = left-n, at+n
		}
	}
	return out
}

func TestHostilePacks(t *testing.T) {
	bomb := [][]byte{entry(blobObject, 1024, nil, make([]byte, 1024))}
	for size, name := 1024, nameOf(blobObject, make([]byte, 1024)); size <= maxObjectBytes; size *= 2 {
		delta := doubling(size)
		bomb = append(bomb, entry(nameDelta, len(delta), name[:], delta))
		name = nameOf(blobObject, make([]byte, 2*size))
	}
	loop := entry(offsetDelta, 2, []byte{0}, []byte{0, 0})
	tests := []struct {
		name    string
		objects [][]byte
		kind    errs.Kind
		says    string
	}{
		{"change bomb", bomb, errs.TooLarge, "at most"},
		{"size over the limit", [][]byte{entry(blobObject, maxObjectBytes+1, nil, nil)}, errs.TooLarge, "at most"},
		{"longer than stated", [][]byte{entry(blobObject, 3, nil, []byte("four"))}, errs.Invalid, "damaged"},
		{"shorter than stated", [][]byte{entry(blobObject, 5, nil, []byte("four"))}, errs.Invalid, "damaged"},
		{"change of itself", [][]byte{loop}, errs.Invalid, "damaged"},
		{"base that was not sent", [][]byte{entry(nameDelta, 2, make([]byte, 20), []byte{0, 0})}, errs.Invalid,
			"not sent"},
		{"unknown kind", [][]byte{entry(5, 1, nil, []byte("x"))}, errs.Invalid, "unknown kind"},
		{"cut off", [][]byte{{0x31}}, errs.Invalid, "damaged"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			file := packOf(t, test.objects...)
			info, err := file.Stat()
			if err != nil {
				t.Fatal(err)
			}
			if _, err = openPack(t.Context(), file, info.Size()); !errs.Is(err, test.kind) ||
				!strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want kind %v saying %q", err, test.kind, test.says)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestChangeOfLaterObject(t *testing.T) {
	base := []byte("the base of it")
	name := nameOf(blobObject, base)
	delta := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(base))), 3)
	delta = append(delta, 0x91, 4, 3) // three bytes from the fifth on
	file := packOf(t, entry(nameDelta, len(delta), name[:], delta), entry(blobObject, len(base), nil, base))
	info, _ := file.Stat()
	p, err := openPack(t.Context(), file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	if content, err := p.object(nameOf(blobObject, []byte("bas")), blobObject); string(content) != "bas" || err != nil {
		t.Errorf("%q, %v", content, err)
	}
}

func TestServersThatMisbehave(t *testing.T) {
	refs := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		io.WriteString(w, body)
	}
	advert := "001e# service=git-upload-pack\n0000003f" + strings.Repeat("a", 40) + " HEAD\x00side-band-64k\n0000"
	for name, test := range map[string]struct {
		refs, pack string
	}{
		"no protocol": {"<html>", ""}, "odd length": {"zzzz", ""}, "huge line": {"ffff", ""}, "cut off": {"00ff", ""},
		"refusal": {advert, "0009ERR x"}, "nothing": {advert, "0008NAK\n0000"},
		"fatal": {advert, "0008NAK\n0009\x03dead"}, "no pack": {advert, "0008NAK\n0009\x01dead0000"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					refs(w, test.refs)
					return
				}
				w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
				io.WriteString(w, test.pack)
			}))
			defer server.Close()
			temp := t.TempDir()
			if _, err := Read(t.Context(), loopback(t), server.URL+"/a.git", &source.Texts{Dir: temp}, nil); !errs.Is(
				err, errs.Invalid) {
				t.Errorf("error %v", err)
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestCloningStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	if _, err := Read(ctx, loopback(t), server.URL+"/a.git", &source.Texts{Dir: t.TempDir()}, nil); err == nil ||
		ctx.Err() == nil {
		t.Errorf("error %v", err)
	}
}
