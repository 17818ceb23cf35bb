package imports_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/engine/git"
)

// gitFile and gitSync are the fields of the API about Git.
type gitFile struct{ OID, Path string }

type gitSync struct{ RepoName, InstallationProvider, URL, Ref, Folder, Commit, UpdatedAt string }

type withGit struct {
	ID, Path, Name, Title, Type string
	Git                         *gitFile
	Pages                       []withGit
}

type revisionWithGit struct {
	ID  string
	Git *struct {
		OID, Message, URL, Ref             string
		CreatedByService, CreatedByGitBook *bool
	}
	Pages, Files, ReusableContents []withGit
}

func fromAcme(ref, folder string) string {
	return "&" + url.Values{"repository": {"https://github.com/acme/docs"}, "ref": {ref}, "folder": {folder},
		"commit": {strings.Repeat("ab", 20)}}.Encode()
}

func TestGitFields(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		var known struct {
			ID      string
			GitSync *gitSync
		}
		s.Call(http.MethodGet, "/v1/spaces/"+space, nil, 200, &known)
		if known.GitSync != nil {
			t.Errorf("a new space is from %+v", known.GitSync)
		}
		files := map[string]string{
			"README.md":  "# Start\n\n![](a.png)\n",
			"SUMMARY.md": "* [Start](README.md)\n* [Site](https://example.org/)\n", "a.png": "png",
			".gitbook/includes/note.md": "---\ntitle: Note\n---\n\nText.\n", ".gitbook.yaml": "root: ./\n",
		}
		upload := "/v1/spaces/" + space + "/content/upload?name=docs.zip"
		var made struct {
			Revision string
			Report   struct {
				Origin *struct {
					Repository, Ref, Folder, Commit string
					Pages, Files, ReusableContents  int
				}
			}
		}
		s.Call(http.MethodPost, upload+fromAcme("main", "docs"), apptest.Zipped(t, files), http.StatusCreated, &made)
		if noted := made.Report.Origin; noted == nil || noted.Repository != "https://github.com/acme/docs" ||
			noted.Pages != 1 || noted.Files != 1 || noted.ReusableContents != 1 {
			t.Errorf("the report says %+v", noted)
		}
		s.Call(http.MethodGet, "/v1/spaces/"+space, nil, 200, &known)
		want := gitSync{RepoName: "acme/docs", InstallationProvider: "github", URL: "https://github.com/acme/docs",
			Ref: "main", Folder: "docs", Commit: strings.Repeat("ab", 20)}
		if known.GitSync == nil {
			t.Fatal("the space does not say where it is from")
		}
		if want.UpdatedAt = known.GitSync.UpdatedAt; *known.GitSync != want || want.UpdatedAt == "" {
			t.Errorf("the space is from %+v", known.GitSync)
		}

		var revision revisionWithGit
		content := "/v1/spaces/" + space + "/content"
		s.Call(http.MethodGet, content, nil, 200, &revision)
		commit := revision.Git
		if commit == nil || commit.OID != strings.Repeat("ab", 20) || commit.Ref != "main" ||
			commit.URL != "https://github.com/acme/docs/commit/"+commit.OID || commit.Message != "" ||
			commit.CreatedByService == nil || *commit.CreatedByService || commit.CreatedByGitBook == nil ||
			*commit.CreatedByGitBook {
			t.Errorf("the revision is from %+v", commit)
		}
		page, file, reusable := revision.Pages[0], revision.Files[0], revision.ReusableContents[0]
		for _, c := range []struct {
			about      string
			got        *gitFile
			path, data string
		}{
			{"the page", page.Git, "docs/README.md", "README.md"}, {"the file", file.Git, "docs/a.png", "a.png"},
			{"the reusable content", reusable.Git, "docs/.gitbook/includes/note.md", ".gitbook/includes/note.md"},
		} {
			if want := (gitFile{git.OID([]byte(files[c.data])), c.path}); c.got == nil || *c.got != want {
				t.Errorf("%s is from %+v, want %+v", c.about, c.got, want)
			}
		}
		if link := revision.Pages[1]; link.Type != "link" || link.Git != nil {
			t.Errorf("the link is %+v", link)
		}

		// Every read has the fields, and leaves them out when it is asked to.
		for _, at := range []string{
			content, content + "/pages", content + "/files", content + "/files/" + file.ID,
			content + "/page/" + page.ID, content + "/path/readme",
			content + "/reusable-contents/" + reusable.ID, "/v1/spaces/" + space + "/revisions/" + revision.ID,
			"/v1/spaces/" + space + "/revisions/" + revision.ID + "/files", "/v1/spaces/" + space + "/revisions/" +
				revision.ID + "/page/" + page.ID,
		} {
			whole := s.Call(http.MethodGet, at, nil, 200, nil)
			without := s.Call(http.MethodGet, at+"?metadata=false", nil, 200, nil)
			if !bytes.Contains(whole.Body, []byte(`"git":`)) || bytes.Contains(without.Body, []byte(`"git":`)) {
				t.Errorf("%s with git metadata: %.400s\nwithout: %.400s", at, whole.Body, without.Body)
			}
			if tag := whole.Header.Get("ETag"); tag != "" && tag == without.Header.Get("ETag") {
				t.Errorf("%s: two answers have the tag %s", at, tag)
			}
		}

		// A commit that changes no file moves what the space says and makes no revision.
		next := strings.Replace(upload+fromAcme("main", "docs"), strings.Repeat("ab", 20), strings.Repeat("cd", 20), 1)
		s.Call(http.MethodPost, next, apptest.Zipped(t, files), http.StatusCreated, nil)
		var after revisionWithGit
		s.Call(http.MethodGet, content, nil, 200, &after)
		s.Call(http.MethodGet, "/v1/spaces/"+space, nil, 200, &known)
		if after.ID != revision.ID || known.GitSync.Commit != strings.Repeat("cd", 20) {
			t.Errorf("revision %s after %s, %+v", after.ID, revision.ID, known.GitSync)
		}

		// A copy, and a space that moves to another organization, keep it.
		var copied struct {
			ID      string
			GitSync *gitSync
		}
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/duplicate", nil, http.StatusCreated, &copied)
		if copied.GitSync == nil || copied.GitSync.URL != want.URL {
			t.Errorf("the copy is from %+v", copied.GitSync)
		}
		var other struct{ ID string }
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Other"}`, http.StatusCreated, &other)
		s.Call(http.MethodPost, "/v1/spaces/"+copied.ID+"/transfer", `{"organization":"`+other.ID+`"}`, http.StatusOK,
			nil)
		copied.GitSync = nil
		s.Call(http.MethodGet, "/v1/spaces/"+copied.ID, nil, 200, &copied)
		if copied.GitSync == nil || copied.GitSync.URL != want.URL {
			t.Errorf("after the move it is from %+v", copied.GitSync)
		}
		s.Call(http.MethodGet, "/v1/spaces/"+copied.ID+"/content", nil, 200, &after)
		if after.Pages[0].Git == nil || after.Pages[0].Git.Path != "docs/README.md" {
			t.Errorf("after the move its page is from %+v", after.Pages[0].Git)
		}

		// Other content takes the place.
		s.Call(http.MethodPost, upload, apptest.Zipped(t, files), http.StatusCreated, nil)
		known.GitSync = nil
		s.Call(http.MethodGet, "/v1/spaces/"+space, nil, 200, &known)
		var last revisionWithGit
		s.Call(http.MethodGet, content, nil, 200, &last)
		if known.GitSync != nil || last.Git != nil || last.Pages[0].Git != nil || last.Files[0].Git != nil ||
			last.ReusableContents[0].Git != nil {
			t.Errorf("after other content: %+v, %+v", known.GitSync, last)
		}
	})
}

// TestHostileOrigins holds what cannot be said of a repository, and that a refusal does not repeat a secret.
func TestHostileOrigins(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	space := s.Space("Guide")
	good := url.Values{"name": {"a.md"}, "repository": {"https://github.com/acme/docs"}, "ref": {"main"},
		"folder": {"docs"}, "commit": {strings.Repeat("a", 40)}}
	before := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil).Header.Get("ETag")
	for name, values := range map[string][]string{
		"repository": {
			"javascript:alert(1)", "https://ada:hunter2@github.com/acme/docs", "ssh://git@github.com/acme/docs", "/etc",
			"https://github.com", "https://github.com/a/../../b",
			"https://github.com/acme/docs?x=<script>", "https://github.com/acme/docs#x", "https://git hub.com/a",
			"https://github.com/a\nb", "https://github.com/" + strings.Repeat("a", 1001), "\xff",
		},
		"ref": {"../main", "a b", "a\x00b", "-x", "refs/heads/main", strings.Repeat("a", 251), "a\nSet-Cookie: x",
			"\xff"},
		"folder": {"..", "docs/../..", "a\\b", "a\x00", "a\nb", ".git", strings.Repeat("a/", 600), "\xff"},
		"commit": {"main", strings.Repeat("a", 39), strings.Repeat("z", 40), strings.Repeat("a", 64)},
	} {
		for _, value := range values {
			query := url.Values{}
			maps.Copy(query, good)
			query.Set(name, value)
			path := "/v1/spaces/" + space + "/content/upload"
			got := s.Raw(http.MethodPost, path+"?"+query.Encode(), s.Token, []byte("# A\n"))
			if got.Status != http.StatusBadRequest || !bytes.Contains(got.Body, []byte(name)) &&
				!bytes.Contains(got.Body, []byte("UTF-8")) || bytes.Contains(got.Body, []byte("hunter2")) {
				t.Errorf("%s %.60q: %d %.300s", name, value, got.Status, got.Body)
			}
			s.Check(http.MethodPost, path, got)
		}
	}
	for name, query := range map[string]string{"a branch of nothing": "?name=a.md&ref=main",
		"of a document": "?source=docx&repository=https://github.com/acme/docs"} {
		if got := s.Raw(http.MethodPost, "/v1/spaces/"+space+"/content/upload"+query, s.Token,
			[]byte("# A\n")); got.Status != http.StatusBadRequest || !json.Valid(got.Body) {
			t.Errorf("%s: %d %.300s", name, got.Status, got.Body)
		}
	}
	if after := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil).Header.Get(
		"ETag"); after != before {
		t.Error("a refused import changed the space")
	}
}

// TestEditLinksAreOfOriginals: a translation was not written in the file, so its readers are not led there. Neither are
// those of a preview.
func TestEditLinksAreOfOriginals(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name=docs.zip"+fromAcme("main", ""),
			apptest.Zipped(t, map[string]string{"start.md": "# Start\n\nText.\n"}), http.StatusCreated, nil)
		organization := "/v1/orgs/" + s.Organization
		var translated apptest.TranslationSettings
		s.Call(http.MethodPost, organization+"/translations",
			map[string]any{"source": map[string]any{"space": space, "language": "en"}, "language": "de"},
			http.StatusCreated, &translated)
		at := organization + "/translations/" + translated.ID + "/languages/de"
		variant := s.Followed(at).Space
		// What is new in the original comes to the translation without its file.
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name=docs.zip"+fromAcme("main", ""),
			apptest.Zipped(t, map[string]string{"more.md": "# More\n\nText.\n"}), http.StatusCreated, nil)
		var proposed struct{ Pages []withGit }
		for deadline := time.Now().Add(30 * time.Second); len(proposed.Pages) < 2; time.Sleep(20 * time.Millisecond) {
			if request := s.Followed(at).ChangeRequest; request != "" {
				s.Call(http.MethodGet, "/v1/spaces/"+variant+"/change-requests/"+request+"/content/pages", nil,
					http.StatusOK, &proposed)
			}
			if time.Now().After(deadline) {
				t.Fatal("the translation does not follow")
			}
		}
		if more := proposed.Pages[1]; more.Title != "More" || more.Git != nil {
			t.Errorf("the new page of the translation is %+v", more)
		}
		for _, of := range []struct {
			space, at string
			want      int
		}{{space, "start", 2}, {space, "more", 2}, {variant, "start", 0}} {
			site, _ := s.PublishedSite("Docs "+of.space+of.at, of.space)
			one := organization + "/sites/" + site
			var look map[string]any
			s.Call(http.MethodGet, one+"/customization", nil, http.StatusOK, &look)
			look["git"] = map[string]any{"showEditLink": true}
			s.Call(http.MethodPut, one+"/customization", look, http.StatusOK, nil)
			var published struct{ URLs struct{ Published string } }
			s.Call(http.MethodGet, one, nil, http.StatusOK, &published)
			got := s.Raw(http.MethodGet, strings.TrimPrefix(published.URLs.Published, s.Base)+of.at, "", nil)
			if links := bytes.Count(got.Body,
				[]byte(`href="https://github.com/acme/docs/edit/main/`)); got.Status == http.StatusNotFound ||
				links != of.want {
				t.Errorf("%s in %s: status %d, %d links to edit it, want %d", of.at, of.space, got.Status, links,
					of.want)
			}
		}
	})
}
