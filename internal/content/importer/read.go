package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/confluence"
	"github.com/rectodocs/recto/internal/content/importer/convert"
	"github.com/rectodocs/recto/internal/content/importer/docx"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/folder"
	"github.com/rectodocs/recto/internal/content/importer/googledocs"
	"github.com/rectodocs/recto/internal/content/importer/notion"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/importer/website"
	"github.com/rectodocs/recto/internal/content/importer/wiki"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// sourceReader reads the source of one request.
type sourceReader struct {
	service *Service
	texts   *source.Texts
	request Request
	tracker *tracker
	// room waits for the memory that an import needs.
	room func(ctx context.Context, shares int64) error
}

func (r sourceReader) read(ctx context.Context) (*source.Tree, error) {
	if r.request.Upload == nil && (r.request.Source == SourceWebsite || r.request.Source == SourceHTML) {
		if err := r.room(ctx, unknownShares); err != nil {
			return nil, err
		}
		return r.crawl(ctx)
	}
	switch deps := r.service.deps; r.request.Source {
	case SourceWiki:
		if err := r.room(ctx, unknownShares); err != nil {
			return nil, err
		}
		return wiki.Read(ctx, deps.Fetch, r.request.URL, r.texts, func(message string) {
			r.tracker.set(ctx, 0, 0, message)
		})
	case SourceGoogleDocs:
		return document(googledocs.Read(ctx, deps.Fetch, r.request.URL, googledocs.Options{Host: deps.GoogleDocs,
			Texts: r.texts}))
	}
	spool, err := r.spool(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.room(ctx, sharesOfUpload(spool.size)); err != nil {
		return nil, errors.Join(err, spool.remove())
	}
	tree, err := r.readFile(ctx, spool)
	if err != nil {
		spool.remove()
		return nil, err
	}
	opened := tree.Close
	tree.Close = func() error {
		var closed error
		if opened != nil {
			closed = opened()
		}
		return errors.Join(closed, spool.remove())
	}
	return tree, nil
}

// document marks a tree as one document.
func document(tree *source.Tree, err error) (*source.Tree, error) {
	if err == nil {
		tree.Single = len(tree.Pages) == 1 && len(tree.Pages[0].Children) == 0 &&
			tree.Pages[0].Entry.Type == entity.PageDocument
	}
	return tree, err
}

func (r sourceReader) crawl(ctx context.Context) (*source.Tree, error) {
	options := r.service.deps.Crawl
	options.Limit = r.request.Limit
	options.Single = r.request.Source == SourceHTML
	options.Texts = r.texts
	options.Progress = func(done, total int, message string) { r.tracker.set(ctx, done, total, message) }
	if options.Single {
		return document(website.Crawl(ctx, r.service.deps.Fetch, r.request.URL, options))
	}
	return website.Crawl(ctx, r.service.deps.Fetch, r.request.URL, options)
}

// readFile reads an archive or a page that waits in a file.
func (r sourceReader) readFile(ctx context.Context, spool *spool) (*source.Tree, error) {
	kind, err := r.kind(spool)
	if err != nil {
		return nil, err
	}
	if kind != SourceMarkdown && kind != SourceHTML {
		return r.readArchive(ctx, spool, kind)
	}
	if spool.size > MaxPageFile {
		return nil, errs.New(errs.TooLarge, "the page has %d bytes, at most %d are read", spool.size, MaxPageFile)
	}
	data, err := io.ReadAll(io.NewSectionReader(spool.file, 0, spool.size))
	if err != nil {
		return nil, fmt.Errorf("read upload: %w", err)
	}
	name := r.name(".md")
	if kind == SourceHTML {
		name = r.name(".html")
	}
	files, err := filetree.Single(name, data)
	if err != nil {
		return nil, err
	}
	return document(r.originated(folder.Read(ctx, files, r.folderOptions(strings.TrimSuffix(name,
		path.Ext(name))), r.texts)))
}

// folderOptions say how a tree of files is read; name is what a single page without a title is called.
func (r sourceReader) folderOptions(name string) folder.Options {
	return folder.Options{Name: name, From: r.request.From, Convert: convert.HTML}
}

// originated notes in a tree of files which state of a repository they are, as the request says.
func (r sourceReader) originated(tree *source.Tree, err error) (*source.Tree, error) {
	if err == nil {
		tree.Origin = r.request.Origin
	}
	return tree, err
}

// readArchive reads what is packed as a ZIP: pages, a document, or the export of another tool.
func (r sourceReader) readArchive(ctx context.Context, spool *spool, kind Source) (*source.Tree, error) {
	files, err := filetree.Zip(spool.file, spool.size, filetree.DefaultLimits)
	if err != nil {
		return nil, err
	}
	name := r.name("")
	if kind == SourceAuto || kind == SourceZIP {
		kind = detect(files)
	}
	var tree *source.Tree
	switch kind {
	case SourceDocx:
		return document(docx.Read(ctx, files, name, r.texts))
	case SourceConfluence:
		tree, err = confluence.Read(ctx, files, r.texts)
	case SourceNotion:
		tree, err = notion.Read(ctx, files, r.texts)
	default:
		tree, err = r.originated(folder.Read(ctx, files, r.folderOptions(strings.TrimSuffix(name, ".zip")), r.texts))
	}
	if err == nil {
		tree.Report.Leave(files)
	}
	return tree, err
}

// detect says what an archive is by what it holds.
func detect(files *filetree.Tree) Source {
	switch {
	case docx.Is(files):
		return SourceDocx
	case confluence.Is(files):
		return SourceConfluence
	case notion.Is(files):
		return SourceNotion
	}
	return SourceZIP
}

// name returns the file name of the upload or URL, with an extension that fits.
func (r sourceReader) name(extension string) string {
	name := r.request.Name
	if name == "" {
		base, _, _ := strings.Cut(r.request.URL, "?")
		name = base
	}
	name = path.Base(strings.ReplaceAll(strings.TrimRight(name, "/"), `\`, "/"))
	name = strings.TrimLeft(strings.ToValidUTF8(name, "-"), ".")
	if name == "" || name == "/" {
		name = "page"
	}
	if extension != "" && !folder.IsPage(name, extension) {
		name += extension
	}
	return name
}

// kind says what a file is: what the request says, else its first bytes and its name. An archive whose content has to
// be looked at is SourceAuto.
func (r sourceReader) kind(spool *spool) (Source, error) {
	start := make([]byte, 512)
	n, err := spool.file.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("read upload: %w", err)
	}
	start = start[:n]
	if bytes.HasPrefix(start, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) {
		return "", errs.New(errs.Unsupported,
			"%s is a document in a format of old or one with a password; save it as .docx without one", r.name(""))
	}
	isZIP := bytes.HasPrefix(start, []byte("PK\x03\x04")) || bytes.HasPrefix(start, []byte("PK\x05\x06"))
	if r.request.Source != SourceAuto {
		if isZIP && (r.request.Source == SourceMarkdown || r.request.Source == SourceHTML) {
			return SourceZIP, nil // whoever sends an archive wants it unpacked
		}
		return r.request.Source, nil
	}
	text := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(start, []byte("\xef\xbb\xbf"))))
	switch {
	case isZIP:
		return SourceAuto, nil
	case bytes.HasPrefix(text, []byte("<!doctype html")), bytes.HasPrefix(text, []byte("<html")),
		folder.IsPage(r.request.Name, ".html"):
		return SourceHTML, nil
	case folder.IsPage(r.request.Name, ".md"), r.request.Name == "", path.Ext(r.request.Name) == ".txt":
		return SourceMarkdown, nil
	}
	return "", errs.New(errs.Unsupported,
		"%q is neither an archive (.zip), nor a document (.docx), nor a page (.md, .html)", r.request.Name)
}

// spool is a file that waits to be read, removed afterwards.
type spool struct {
	file *os.File
	size int64
}

func (s *spool) remove() error {
	err := s.file.Close()
	if removeErr := os.Remove(s.file.Name()); err == nil {
		err = removeErr
	}
	return err
}

// spool brings the upload or the URL's content into a file.
func (r sourceReader) spool(ctx context.Context) (*spool, error) {
	reader := r.request.Upload
	limit := int64(MaxArchive)
	if reader == nil {
		response, err := r.service.deps.Fetch.Get(ctx, r.request.URL, fetch.Limits{Bytes: limit, Time: jobTimeout,
			Redirects: 10})
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		if response.Status != 200 {
			return nil, errs.New(errs.Invalid, "%s answers with status %d; check the address", r.request.URL,
				response.Status)
		}
		reader = response.Body
	}
	file, err := os.CreateTemp(r.service.deps.TempDir, "recto-import-*")
	if err != nil {
		return nil, fmt.Errorf("make file for upload: %w", err)
	}
	kept := &spool{file: file}
	limited := LimitReader(reader, limit)
	stoppable := readerFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return limited.Read(p)
	})
	if kept.size, err = io.Copy(file, stoppable); err != nil {
		kept.remove()
		return nil, err
	}
	return kept, nil
}

// LimitReader returns a reader that fails with errs.TooLarge when there are more than limit bytes to read.
func LimitReader(reader io.Reader, limit int64) io.Reader {
	return &limitedReader{reader: reader, limit: limit, left: limit}
}

type limitedReader struct {
	reader      io.Reader
	limit, left int64
}

func (r *limitedReader) Read(p []byte) (int, error) {
	if int64(len(p)) > r.left+1 {
		p = p[:r.left+1]
	}
	n, err := r.reader.Read(p)
	if int64(n) > r.left {
		return int(r.left), errs.New(errs.TooLarge, "there are more than %d bytes", r.limit)
	}
	r.left -= int64(n)
	return n, err
}

// readerFunc is a function that reads.
type readerFunc func(p []byte) (int, error)

// Read calls the function.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
