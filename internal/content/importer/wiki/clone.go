package wiki

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
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// maxTreeDepth is how many folders may lie inside each other; package filetree allows no more.
const maxTreeDepth = 64

// clone fetches the newest commit and returns its files, and what is known of it. Closing the files removes what was
// stored.
func clone(ctx context.Context, client *fetch.Client, repository, tempDir string,
	progress func(string)) (*filetree.Tree, git.Source, error) {
	progress("asking for the repository")
	found, repository, err := head(ctx, client, repository)
	if err != nil {
		return nil, git.Source{}, err
	}
	file, err := os.CreateTemp(tempDir, "recto-import-*")
	if err != nil {
		return nil, git.Source{}, fmt.Errorf("make file for pack: %w", err)
	}
	origin := git.Source{Repository: repository, Ref: found.branch}
	remove := func() error { return errors.Join(file.Close(), os.Remove(file.Name())) }
	files, err := func() (*filetree.Tree, error) {
		if err := fetchPack(ctx, client, repository, found.commit, file, progress); err != nil {
			return nil, err
		}
		size, err := file.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, fmt.Errorf("measure pack: %w", err)
		}
		progress("unpacking")
		p, err := openPack(ctx, file, size)
		if err != nil {
			return nil, err
		}
		commit, err := p.commitOf(found.commit)
		if err != nil {
			return nil, err
		}
		origin.Commit, origin.Message = commit.name.String(), commit.message
		return p.checkOut(commit.tree)
	}()
	if err != nil {
		return nil, git.Source{}, errors.Join(err, remove())
	}
	return files.OnClose(remove), origin, nil
}

// checkOut returns the files of a folder.
func (p *pack) checkOut(tree hash) (*filetree.Tree, error) {
	walk := &checkout{pack: p, at: map[string]int64{}}
	if err := walk.folder(tree, "", 0); err != nil {
		return nil, err
	}
	return filetree.Listed(walk.files, walk.links, filetree.DefaultLimits, func(name string) (io.ReadCloser, error) {
		_, content, err := p.fresh(walk.at[name])
		if err != nil {
			return nil, err
		}
		return io.NopCloser(bytes.NewReader(content)), nil
	})
}

// fresh reads an object without touching what the pack remembers, so that several goroutines may at once.
func (p *pack) fresh(at int64) (int, []byte, error) {
	own := &pack{file: p.file, size: p.size, objects: p.objects, byName: p.byName, cache: map[int64]cached{}}
	return own.read(at, 0)
}

// object returns an object of a kind by its name.
func (p *pack) object(name hash, kind int) ([]byte, error) {
	at, ok := p.byName[name]
	if !ok {
		return nil, damaged("the object " + name.String() + " was not sent")
	}
	found, content, err := p.read(at, 0)
	if err == nil && found != kind {
		err = damaged("the object " + name.String() + " is of the wrong kind")
	}
	return content, err
}

// commit is what is read of one.
type commit struct {
	name, tree hash
	message    string
}

// commitOf returns a commit, also behind a tag.
func (p *pack) commitOf(name hash) (commit, error) {
	for range 5 {
		at, ok := p.byName[name]
		if !ok {
			return commit{}, damaged("the newest commit was not sent")
		}
		kind, content, err := p.read(at, 0)
		if err != nil {
			return commit{}, err
		}
		line, _, _ := strings.Cut(string(content[:min(len(content), 100)]), "\n")
		word, target, _ := strings.Cut(line, " ")
		next, ok := parseHash(target)
		switch {
		case kind == commitObject && word == "tree" && ok:
			_, message, _ := bytes.Cut(content, []byte("\n\n"))
			return commit{name, next, string(message[:min(len(message), 2*git.MaxMessage)])}, nil
		case kind == tagObject && word == "object" && ok:
			name = next
		default:
			return commit{}, damaged("the newest commit cannot be read")
		}
	}
	return commit{}, damaged("a tag leads to too many others")
}

// checkout walks the folders of a commit.
type checkout struct {
	pack  *pack
	files []filetree.File
	at    map[string]int64
	seen  int
	// links are symbolic links.
	links []string
}

// folder adds the files of a folder. Entries are "mode name NUL hash".
func (c *checkout) folder(name hash, prefix string, depth int) error {
	if depth > maxTreeDepth {
		return errs.New(errs.Invalid, "the folder %.80q… is more than %d folders deep", prefix, maxTreeDepth)
	}
	content, err := c.pack.object(name, treeObject)
	if err != nil {
		return err
	}
	for len(content) > 0 {
		if c.seen++; c.seen > maxObjects {
			return errs.New(errs.TooLarge, "the repository has more than %d files", maxObjects)
		}
		end := bytes.IndexByte(content, 0)
		if end < 0 || len(content) < end+1+len(hash{}) {
			return damaged("a folder cannot be read")
		}
		mode, base, ok := strings.Cut(string(content[:end]), " ")
		child := hash(content[end+1 : end+1+len(hash{})])
		content = content[end+1+len(hash{}):]
		if !ok || base == "" || strings.Contains(base, "/") {
			return damaged("a folder cannot be read")
		}
		if err := c.entry(mode, prefix+base, child, depth); err != nil {
			return err
		}
	}
	return nil
}

func (c *checkout) entry(mode, name string, child hash, depth int) error {
	if base := path.Base(name); base == ".git" || strings.HasPrefix(base, ".") && base != ".gitbook" &&
		base != ".gitbook.yaml" {
		return nil
	}
	switch mode {
	case "40000", "040000":
		return c.folder(child, name+"/", depth+1)
	case "120000":
		c.links = append(c.links, name)
		return nil
	case "160000":
		return nil // another repository
	}
	at, ok := c.pack.byName[child]
	if !ok {
		return damaged("the file " + name + " was not sent")
	}
	content, err := c.pack.object(child, blobObject)
	if err != nil {
		return err
	}
	c.at[name] = at
	c.files = append(c.files, filetree.File{Path: name, Size: int64(len(content))})
	return nil
}
