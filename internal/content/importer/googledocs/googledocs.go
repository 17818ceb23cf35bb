// Package googledocs owns reading a document of Google Docs that everybody with its link may read into a source.Tree of
// one page.
//
// A shared document is exported as a Word document, which package docx reads; a published one ("File, Publish to the
// web") is there as HTML only. Everything goes through package fetch, with limits on sizes and numbers; nobody signs
// in, so a document that is not public is refused with words that say how to share it. Nothing is written outside the
// temporary folder.
package googledocs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/docx"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Host is where documents are.
const Host = "https://docs.google.com"

// Limits of one document.
const (
	maxDocument   = 200 << 20
	maxPublished  = 16 << 20
	documentTime  = 5 * time.Minute
	maxImageBytes = 50 << 20
	maxImages     = 1000
)

// Options says how to read. The zero value is right outside of tests.
type Options struct {
	// Host is where documents are exported from; "" means Host.
	Host string
	// Texts takes the bodies; its folder is where downloads wait for the import.
	Texts *source.Texts
}

var (
	sharedID    = regexp.MustCompile(`^/(?:a/[^/]+/)?document/(?:u/\d+/)?d/([A-Za-z0-9_-]{10,200})(?:/|$)`)
	publishedID = regexp.MustCompile(`^/(?:a/[^/]+/)?document/(?:u/\d+/)?d/e/([A-Za-z0-9_-]{10,200})(?:/|$)`)
	bareID      = regexp.MustCompile(`^[A-Za-z0-9_-]{10,200}$`)
)

// Exported returns the path below the host that a document is read from, and whether that is a published page.
func Exported(address string) (path string, published bool, err error) {
	if err := fetch.CheckURL(address); err != nil {
		return "", false, err
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return "", false, errs.Invalidf("url", "%q is not an address", address)
	}
	switch u.Hostname() {
	case "docs.google.com":
		if found := publishedID.FindStringSubmatch(u.Path); found != nil {
			return "/document/d/e/" + found[1] + "/pub", true, nil
		}
		if found := sharedID.FindStringSubmatch(u.Path); found != nil {
			return "/document/d/" + found[1] + "/export?format=docx", false, nil
		}
	case "drive.google.com":
		if id := u.Query().Get("id"); u.Path == "/open" && bareID.MatchString(id) {
			return "/document/d/" + id + "/export?format=docx", false, nil
		}
	}
	return "", false, errs.Invalidf("url",
		"%s is not the address of a document; write one like https://docs.google.com/document/d/ID/edit", u.Redacted())
}

// Read fetches and reads a document. The caller closes the tree, which removes what was fetched.
func Read(ctx context.Context, client *fetch.Client, address string, options Options) (*source.Tree, error) {
	path, published, err := Exported(address)
	if err != nil {
		return nil, err
	}
	if options.Host == "" {
		options.Host = Host
	}
	if published {
		return readPublished(ctx, client, options.Host+path, options.Texts)
	}
	return readShared(ctx, client, options.Host+path, options.Texts)
}

// notPublic says how to make a document one that can be read.
func notPublic(status int) error {
	return errs.New(errs.Invalid, "the document is not there or not public (status %d); share it with everybody who "+
		"has the link, or publish it to the web", status)
}

// readShared reads the export of a document.
func readShared(ctx context.Context, client *fetch.Client, address string, texts *source.Texts) (*source.Tree, error) {
	response, err := client.Get(ctx, address, fetch.Limits{Bytes: maxDocument, Time: documentTime, Redirects: 10})
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.Status != 200 || response.ContentType == "text/html" {
		return nil, notPublic(response.Status) // who is not signed in is sent to a page that says so
	}
	file, err := os.CreateTemp(texts.Dir, "recto-import-*")
	if err != nil {
		return nil, fmt.Errorf("make file for document: %w", err)
	}
	remove := func() error { return errors.Join(file.Close(), os.Remove(file.Name())) }
	size, err := io.Copy(file, response.Body)
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	tree, err := readDocument(ctx, file, size, fileName(response.Header.Get("Content-Disposition")), texts)
	if err != nil {
		remove()
		return nil, err
	}
	tree.Close = remove
	return tree, nil
}

func readDocument(ctx context.Context, file *os.File, size int64, name string,
	texts *source.Texts) (*source.Tree, error) {
	files, err := filetree.Zip(file, size, filetree.DefaultLimits)
	if err != nil {
		return nil, err
	}
	return docx.Read(ctx, files, name, texts)
}

// fileName returns the document's name from the header that says how to save it.
func fileName(disposition string) string {
	_, parameters, err := mime.ParseMediaType(disposition)
	name := strings.ToValidUTF8(parameters["filename"], "-")
	if err != nil || name == "" || len(name) > 255 {
		return "Document.docx"
	}
	return name
}
