package website

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// isMachinery reports whether an address is of a file that makes pages work.
func isMachinery(u *url.URL) bool { return otherExtensions[strings.ToLower(path.Ext(u.Path))] }

// save keeps a download.
func (c *crawl) save(content io.Reader, address *url.URL, contentType string) (*source.File, error) {
	place := filepath.Join(c.dir, fmt.Sprintf("%06d", c.saved.Add(1)))
	file, err := os.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make file for download: %w", err)
	}
	size, err := io.Copy(file, content)
	if closeErr := file.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("write download: %w", closeErr)
	}
	if err != nil {
		os.Remove(place)
		return nil, err
	}
	return &source.File{
		Place: address.String(), Name: fileName(address, contentType), ContentType: contentType, Size: size,
		Open: func() (io.ReadCloser, error) { return os.Open(place) },
	}, nil
}

// fileName returns the last segment of an address as a file name, with the extension of the media type when it has
// none.
func fileName(address *url.URL, contentType string) string {
	name := path.Base(address.Path)
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(name, "-"))
	name = strings.TrimLeft(name, ". ")
	if name == "" || name == "-" {
		name = "file"
	}
	if runes := []rune(name); len(runes) > 150 {
		name = string(runes[len(runes)-150:])
	}
	if path.Ext(name) == "" {
		name += extensionOf(contentType)
	}
	return name
}

// extensionOf returns the usual extension of a media type, "" when it has none.
func extensionOf(contentType string) string {
	switch contentType {
	case "image/jpeg":
		return ".jpg"
	case "image/png", "image/gif", "image/webp", "image/avif", "image/bmp":
		return "." + strings.TrimPrefix(contentType, "image/")
	case "image/svg+xml":
		return ".svg"
	case "text/plain":
		return ".txt"
	}
	extensions, err := mime.ExtensionsByType(contentType)
	if err != nil || len(extensions) == 0 || contentType == "application/octet-stream" {
		return ""
	}
	return extensions[0]
}

// readImages fetches the images that pages show, several at a time.
func (c *crawl) readImages(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var addresses []string
	seen := map[string]bool{}
	for _, e := range c.queue {
		for e.canonical != "" && c.entries[e.canonical] != e {
			e = c.entries[e.canonical]
		}
		if e.page == nil {
			continue
		}
		for _, address := range e.page.images {
			if !seen[address] {
				seen[address] = true
				addresses = append(addresses, address)
			}
		}
	}
	files := make([]*source.File, len(addresses))
	problems := make([]error, len(addresses))
	var workers sync.WaitGroup
	slots := make(chan struct{}, c.options.Concurrency)
	for i, address := range addresses {
		if known := c.fileAt(address); known != nil {
			files[i] = known
			continue
		}
		slots <- struct{}{}
		c.options.Progress(c.pages, c.pages, address[:min(len(address), 200)])
		workers.Go(func() {
			defer func() { <-slots }()
			files[i], problems[i] = c.readImage(ctx, address)
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("crawl %s: %w", c.start.address.Redacted(), context.Cause(ctx))
	}
	for i, address := range addresses {
		if problems[i] != nil {
			c.imageErrors[address] = problems[i].Error()
			continue
		}
		c.images[address] = files[i]
	}
	return nil
}

// fileAt returns a download that is there already under an address.
func (c *crawl) fileAt(address string) *source.File {
	u, err := url.Parse(address)
	if err != nil || !c.scope.contains(u) {
		return nil
	}
	if e := c.settle(key(u)); e != nil {
		return e.file
	}
	return nil
}

func (c *crawl) readImage(ctx context.Context, address string) (*source.File, error) {
	if strings.HasPrefix(address, inlineScheme) {
		return c.dataImage(c.inline[address])
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errs.New(errs.Invalid, "not an address")
	}
	if hostOf(u) == c.scope.host && !c.robots.allows(u) {
		return nil, errs.New(errs.Invalid, "robots.txt does not allow it")
	}
	if err := c.limiter.wait(ctx); err != nil {
		return nil, err
	}
	response, err := c.client.Get(ctx, address, fetch.Limits{Bytes: maxFileBytes, Time: downloadTime, Redirects: 10,
		Accept: "image/*,*/*;q=0.5"})
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.Status != http.StatusOK {
		return nil, errs.New(errs.NotFound, "the site answers with status %d", response.Status)
	}
	if isHTML(response.ContentType, nil) {
		return nil, errs.New(errs.Invalid, "it is a page, not an image")
	}
	return c.save(response.Body, response.URL, response.ContentType)
}

// dataImage keeps an image that is written into its page.
func (c *crawl) dataImage(address string) (*source.File, error) {
	head, data, found := strings.Cut(strings.TrimPrefix(address, "data:"), ",")
	mediaType, encoded := strings.CutSuffix(strings.TrimSpace(head), ";base64")
	mediaType, _, _ = strings.Cut(mediaType, ";")
	if !found || !strings.HasPrefix(mediaType, "image/") {
		return nil, errs.New(errs.Invalid, "it is not an image")
	}
	plain, err := url.PathUnescape(data)
	if err != nil {
		return nil, errs.New(errs.Invalid, "it is damaged")
	}
	content := []byte(plain)
	if encoded {
		content, err = base64.StdEncoding.DecodeString(strings.Map(dropSpace, plain))
		if err != nil {
			return nil, errs.New(errs.Invalid, "it is damaged")
		}
	}
	sum := sha256.Sum256(content)
	name := &url.URL{Path: "/image-" + hex.EncodeToString(sum[:4])}
	return c.save(strings.NewReader(string(content)), name, mediaType)
}

func dropSpace(r rune) rune {
	if r == ' ' || r == '\n' || r == '\r' || r == '\t' {
		return -1
	}
	return r
}
