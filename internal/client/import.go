package client

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Import is the state of an import on the server.
type Import struct {
	ID           string `json:"id"`
	Organization string `json:"organization"`
	// State is pending, running, done, failed or cancelled.
	State string `json:"state"`
	// Done and Total count pages and files; Total is 0 while it is not known.
	Done  int `json:"done"`
	Total int `json:"total"`
	// Message says what happens now, or why the import failed.
	Message  string `json:"message"`
	Revision string `json:"revision"`
	// Mirror and DryRun are those of the request.
	Mirror bool   `json:"mirror"`
	DryRun bool   `json:"dryRun"`
	Report Report `json:"report"`
}

// Report says what came of an import.
type Report struct {
	Pages int `json:"pages"`
	Files int `json:"files"`
	// Redirects lead from former addresses to where pages are now.
	Redirects     int   `json:"redirects"`
	Skipped       Notes `json:"skipped"`
	NotUnderstood Notes `json:"notUnderstood"`
	Broken        Notes `json:"broken"`
	// Changes says what becomes of pages, nil until that is known.
	Changes *Changes `json:"changes,omitempty"`
	// Detected says which generator of sites a tree of files is of, nil for sources of other kinds.
	Detected *Detected `json:"detected,omitempty"`
	// Origin is what was noted of the Git repository that the content came from, nil for nothing.
	Origin *Origin `json:"origin,omitempty"`
}

// Changes says which pages an import adds, updates, moves and removes.
type Changes struct {
	Added   Notes `json:"added"`
	Updated Notes `json:"updated"`
	Moved   Notes `json:"moved"`
	Removed Notes `json:"removed"`
}

// Detected says which generator of sites a tree is of, and what tells.
type Detected struct {
	Generator string `json:"generator"`
	Because   string `json:"because"`
}

// Origin says what was noted of a Git repository.
type Origin struct {
	Repository string `json:"repository"`
	Ref        string `json:"ref,omitempty"`
	Folder     string `json:"folder,omitempty"`
	Commit     string `json:"commit,omitempty"`
	// Pages, Files and ReusableContents were noted with their files in it.
	Pages            int `json:"pages"`
	Files            int `json:"files"`
	ReusableContents int `json:"reusableContents"`
}

// Notes are observations of one kind; Total counts also those that are not listed.
type Notes struct {
	Total int    `json:"total"`
	Items []Note `json:"items"`
}

// Note is one observation.
type Note struct {
	Place   string `json:"place"`
	Target  string `json:"target"`
	Message string `json:"message"`
}

// ImportRequest says what to import.
type ImportRequest struct {
	// Source is a folder, a file, or an address.
	Source string
	// Kind is the kind of source ("docx", "github-wiki" …), "" for what the name, the bytes or the address say.
	Kind string
	// From is the generator of sites that a folder or ZIP is of, "" for what the server finds out.
	From string
	// Space is the id of the space that takes it.
	Space string
	// ChangeRequest is the id or number of the change request that takes it, "" for the main content.
	ChangeRequest string
	// Page is the id of the page that it goes into or below, "" for the root.
	Page string
	// Limit is the most pages of a website, 0 for all.
	Limit int
	// Mirror removes pages that the source does not have and follows renames; DryRun changes nothing.
	Mirror, DryRun bool
	// NoGit leaves out which Git repository a folder or page lies in. Branch names the branch that it is noted with, ""
	// for the one that is checked out.
	NoGit  bool
	Branch string
	// Progress is called with every state that is seen; it may be nil.
	Progress func(Import)
	// Warn is called with what people may want to know before the import goes on; it may be nil.
	Warn func(string)
}

// pollInterval is how often the state of a running import is asked for.
const pollInterval = 300 * time.Millisecond

// Import sends a source to the server and waits until it is imported. When ctx ends, the import is cancelled on the
// server, which then keeps nothing of it.
func (c *Client) Import(ctx context.Context, request ImportRequest) (Import, error) {
	started, err := c.startImport(ctx, request)
	if err != nil {
		return Import{}, err
	}
	address := "/v1/org/" + url.PathEscape(started.Organization) + "/imports/" + url.PathEscape(started.ID)
	for state := started; ; {
		if request.Progress != nil {
			request.Progress(state)
		}
		switch state.State {
		case "done":
			return state, nil
		case "failed":
			return state, errors.New(state.Message)
		case "cancelled":
			return state, errors.New("the import was cancelled; nothing of it was kept")
		}
		select {
		case <-ctx.Done():
			return state, c.cancelImport(address)
		case <-time.After(pollInterval):
		}
		var next Import
		err := c.do(ctx, http.MethodGet, address, "", nil, nil, &next)
		if ctx.Err() != nil {
			return state, c.cancelImport(address)
		}
		if err != nil {
			return state, fmt.Errorf("follow the import: %w", err)
		}
		state = next
	}
}

// cancelImport tells the server to stop, although the caller's context has ended.
func (c *Client) cancelImport(address string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := c.do(ctx, http.MethodDelete, address, "", nil, nil, nil); err != nil {
		return fmt.Errorf("the import could not be cancelled and may go on: %w", err)
	}
	return errors.New("cancelled; nothing of the import was kept")
}

// startImport sends the source and returns the import that the server made of it.
func (c *Client) startImport(ctx context.Context, request ImportRequest) (Import, error) {
	header := http.Header{"Prefer": {"respond-async"}}
	base := "/v1/spaces/" + url.PathEscape(request.Space) + "/content"
	var started Import
	if isAddress(request.Source) {
		if request.NoGit || request.Branch != "" {
			return started, errors.New(
				"what is noted of Git can be chosen for folders and pages on this machine, not for an address")
		}
		if request.ChangeRequest != "" && request.Page != "" {
			return started, errors.New(
				"an address is imported into a change request or into a page, not both; download it and import " +
					"the file")
		}
		if request.ChangeRequest != "" {
			base = "/v1/spaces/" + url.PathEscape(request.Space) + "/change-requests/" +
				url.PathEscape(request.ChangeRequest) + "/content"
		} else if request.Page != "" {
			base += "/page/" + url.PathEscape(request.Page)
		}
		in := map[string]any{"url": request.Source, "source": cmp.Or(request.Kind, kindOf(request.Source))}
		if request.Limit > 0 {
			in["limit"] = request.Limit
		}
		if request.From != "" {
			in["from"] = request.From
		}
		if request.Mirror {
			in["mirror"] = true
		}
		if request.DryRun {
			in["dryRun"] = true
		}
		err := c.postJSON(ctx, base+"/import", in, header, &started)
		return started, err
	}
	info, err := os.Stat(request.Source)
	if err != nil {
		return started, fmt.Errorf("there is no folder or file %q", request.Source)
	}
	query := url.Values{"name": {filepath.Base(request.Source)}}
	for name, value := range map[string]string{"source": request.Kind, "changeRequest": request.ChangeRequest,
		"page": request.Page, "from": request.From} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if request.Mirror {
		query.Set("mirror", "true")
	}
	if request.DryRun {
		query.Set("dryRun", "true")
	}
	if request.Limit > 0 {
		return started, errors.New("a limit of pages is for websites; folders and files are taken whole")
	}
	if err := request.addOrigin(query, info.IsDir()); err != nil {
		return started, err
	}
	if !info.IsDir() {
		file, err := os.Open(request.Source)
		if err != nil {
			return started, fmt.Errorf("open the file: %w", err)
		}
		defer file.Close()
		err = c.do(ctx, http.MethodPost, base+"/upload?"+query.Encode(), "application/octet-stream", file, header,
			&started)
		return started, err
	}
	absolute, err := filepath.Abs(request.Source)
	if err != nil {
		return started, fmt.Errorf("find the folder: %w", err)
	}
	query.Set("name", filepath.Base(absolute)+".zip")
	// The archive is made while it is sent, so that a folder of any size needs no room beside it.
	reader, writer := io.Pipe()
	packed := make(chan error, 1)
	go func() {
		err := zipFolder(writer, request.Source)
		writer.CloseWithError(err)
		packed <- err
	}()
	err = c.do(ctx, http.MethodPost, base+"/upload?"+query.Encode(), "application/zip", reader, header, &started)
	reader.Close()
	if packing := <-packed; packing != nil && !errors.Is(packing, io.ErrClosedPipe) {
		return started, packing // the reason behind the failed request
	}
	return started, err
}

// addOrigin adds to the parameters of an upload which state of which Git repository it is, where it is a folder or page
// of a checkout. What cannot be told is no reason not to import, unless a branch was named for it.
func (r ImportRequest) addOrigin(query url.Values, folder bool) error {
	files := folder || slices.Contains([]string{".md", ".markdown", ".html", ".htm", ".xhtml"},
		strings.ToLower(filepath.Ext(r.Source)))
	switch files = files && slices.Contains([]string{"", "markdown", "html", "zip"}, r.Kind); {
	case !files && r.Branch != "":
		return errors.New("a branch can be named for folders and pages of Markdown and HTML only")
	case !files, r.NoGit:
		return nil
	}
	found, err := originOf(r.Source, r.Branch)
	switch {
	case err == nil:
	case r.Branch != "":
		return fmt.Errorf("find the Git repository of %s: %w", r.Source, err)
	case errors.Is(err, errNoCheckout):
		return nil
	default:
		if r.Warn != nil {
			r.Warn("No Git repository is noted: " + err.Error() + ".")
		}
		return nil
	}
	for name, value := range map[string]string{"repository": found.Repository, "ref": found.Ref, "folder": found.Folder,
		"commit": found.Commit} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return nil
}

func isAddress(source string) bool {
	lower := strings.ToLower(source)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// kindOf says what an address is by its form: documents, wikis, repositories and files have one; all else is a website.
func kindOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "website"
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	segments := strings.Split(strings.Trim(u.Path, "/"), "/")
	switch extension := strings.ToLower(path.Ext(u.Path)); {
	case host == "docs.google.com" && segments[0] == "document", host == "drive.google.com" && u.Path == "/open":
		return "google-docs"
	case extension == ".git", host == "github.com" && len(segments) > 2 && segments[2] == "wiki",
		strings.Contains(u.Path, "/-/wikis"):
		return "github-wiki"
	case extension == ".docx":
		return "docx"
	case extension == ".zip":
		return "zip"
	case extension == ".md" || extension == ".markdown":
		return "markdown"
	}
	return "website"
}

// Export writes a space as a Markdown tree below a folder, which must be new or empty. It returns the number of files.
func (c *Client) Export(ctx context.Context, space, folder string) (files int, err error) {
	response, err := c.send(ctx, http.MethodGet, "/v1/spaces/"+url.PathEscape(space)+"/content/export", "", nil, nil)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	spool, err := os.CreateTemp("", "recto-export-*.zip")
	if err != nil {
		return 0, fmt.Errorf("make a temporary file: %w", err)
	}
	defer os.Remove(spool.Name())
	defer spool.Close()
	size, err := io.Copy(spool, response.Body)
	if err != nil {
		return 0, fmt.Errorf("receive the export: %w", err)
	}
	archive, err := zip.NewReader(spool, size)
	if err != nil {
		return 0, fmt.Errorf("the server's export is not complete: %w", err)
	}
	return unzipInto(folder, archive)
}

// Summary says in a few lines what an import did.
func (i Import) Summary() string {
	var out bytes.Buffer
	if i.DryRun {
		fmt.Fprintf(&out, "Would import %s and %s; nothing was changed.\n", count(i.Report.Pages, "page"),
			count(i.Report.Files, "file"))
	} else {
		fmt.Fprintf(&out, "Imported %s and %s as revision %s.\n", count(i.Report.Pages, "page"),
			count(i.Report.Files, "file"), i.Revision)
	}
	if i.Mirror || i.DryRun {
		out.WriteString(i.Report.Changes.summary())
	}
	if found := i.Report.Detected; found != nil {
		because := "because of " + found.Because
		if found.Generator == "folders" {
			because = "of pages"
		}
		fmt.Fprintf(&out, "Read as %s %s; --from reads it as another's.\n", found.Generator, because)
	}
	if redirects := i.Report.Redirects; redirects > 0 {
		fmt.Fprintf(&out, "%s to their pages.\n", count(redirects, "former address leads", "former addresses lead"))
	}
	if origin := i.Report.Origin; origin != nil {
		out.WriteString(origin.summary())
	}
	for _, section := range []struct {
		heading string
		notes   Notes
	}{
		{"Skipped", i.Report.Skipped}, {"Not understood, kept as text", i.Report.NotUnderstood},
		{"Broken links", i.Report.Broken},
	} {
		if section.notes.Total == 0 {
			continue
		}
		fmt.Fprintf(&out, "%s (%d):\n", section.heading, section.notes.Total)
		shown := section.notes.Items[:min(len(section.notes.Items), maxShown)]
		for _, note := range shown {
			fmt.Fprintf(&out, "  %s: %s\n", note.Place, strings.TrimSpace(note.Target+" "+note.Message))
		}
		if more := section.notes.Total - len(shown); more > 0 {
			fmt.Fprintf(&out, "  … and %d more; the record of %s lists them\n", more, i.ID)
		}
	}
	return out.String()
}

// summary says what becomes of pages, those that move and go by name.
func (c *Changes) summary() string {
	if c == nil {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Pages: %d added, %d updated, %d moved, %d removed.\n", c.Added.Total, c.Updated.Total,
		c.Moved.Total, c.Removed.Total)
	for _, note := range c.Moved.Items[:min(len(c.Moved.Items), maxShown)] {
		fmt.Fprintf(&text, "  moved: %s -> %s\n", note.Target, note.Place)
	}
	for _, note := range c.Removed.Items[:min(len(c.Removed.Items), maxShown)] {
		fmt.Fprintf(&text, "  removed: %s (%s)\n", note.Place, note.Message)
	}
	return text.String()
}

// summary says in a line what was noted of a repository.
func (o Origin) summary() string {
	var text strings.Builder
	text.WriteString("Noted as from " + o.Repository)
	for _, part := range [][2]string{{"branch", o.Ref}, {"folder", o.Folder},
		{"commit", o.Commit[:min(len(o.Commit), 10)]}} {
		if part[1] != "" {
			text.WriteString(", " + part[0] + " " + part[1])
		}
	}
	text.WriteString(": " + count(o.Pages, "page") + ", " + count(o.Files, "file"))
	if o.ReusableContents > 0 {
		text.WriteString(", " + count(o.ReusableContents, "reusable content"))
	}
	return text.String() + ".\n"
}

// maxShown is how many notices of a kind a summary lists.
const maxShown = 20

// count writes a number of things; several are the word with an s, unless another is given.
func count(n int, what string, several ...string) string {
	switch {
	case n == 1:
		return "1 " + what
	case len(several) > 0:
		return strconv.Itoa(n) + " " + several[0]
	}
	return strconv.Itoa(n) + " " + what + "s"
}
