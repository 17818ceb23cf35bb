package edit

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Limits of files that a batch fetches.
const (
	fetchTime    = 60 * time.Second
	fetchAllTime = 3 * time.Minute
	fetchers     = 4
	// maxName is the longest name of a file as it is sent, in characters; entity keeps one less.
	maxName = 256
)

// takeFiles stores the bytes of all files of a batch and returns their entries by the number of their change. Nothing
// refers to them yet: what is not committed is collected.
func (s *Service) takeFiles(ctx context.Context, changes []Change, n names) (map[int][]*entity.Entry, error) {
	taken := map[int][]*entity.Entry{}
	for i, change := range changes {
		sent := change.sent()
		if len(sent) == 0 {
			continue
		}
		taken[i] = make([]*entity.Entry, len(sent))
		for j, file := range sent {
			if err := checkFile(file); err != nil {
				return nil, prefixed(change.sentAt(i, j), err)
			}
		}
	}
	if len(taken) == 0 {
		return taken, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, fetchAllTime,
		errs.New(errs.Unreachable, "Taking in the files took longer than %v; send fewer at once, or upload them.",
			fetchAllTime))
	defer cancel()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	slots := make(chan struct{}, fetchers)
	var workers sync.WaitGroup
	for i, entries := range taken {
		for j, file := range changes[i].sent() {
			workers.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				if ctx.Err() != nil {
					return
				}
				e, err := s.takeFile(ctx, file, n)
				if err != nil {
					fail(prefixed(changes[i].sentAt(i, j), err))
					return
				}
				entries[j] = e
			})
		}
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return taken, nil
}

// sent are the files whose bytes come with a change.
func (c Change) sent() []NewFile {
	switch {
	case c.Operation == InsertFiles:
		return c.Files
	case c.Operation == UpdateFile && c.Replacement != nil:
		replacement := *c.Replacement
		replacement.Name, replacement.Ref = c.Name.Or(replacement.Name), ""
		return []NewFile{replacement}
	}
	return nil
}

// nameReplaced returns the changes of a batch with the names that replaced files have now: what their new bytes are
// follows from the name, too.
func (s *Service) nameReplaced(ctx context.Context, at target, batch Batch) ([]Change, error) {
	var view *store.View
	changes := slices.Clone(batch.Changes)
	for i, change := range changes {
		if change.Operation != UpdateFile || change.Replacement == nil {
			continue
		}
		if view == nil {
			var err error
			if view, err = s.base(ctx, at, batch.Base); err != nil {
				return nil, err
			}
		}
		replacement := *change.Replacement
		replacement.Name = "file"
		e, err := view.Entry(ctx, change.File)
		switch {
		case err == nil && e.Kind == entity.KindFile:
			replacement.Name = e.Name
		case err != nil && !errs.Is(err, errs.NotFound):
			return nil, err
		}
		changes[i].Replacement = &replacement
	}
	return changes, nil
}

// sentAt says where in a batch such a file is.
func (c Change) sentAt(change, file int) string {
	if c.Operation == UpdateFile {
		return fmt.Sprintf("changes[%d].replacement", change)
	}
	return fmt.Sprintf("changes[%d].files[%d]", change, file)
}

// checkFile refuses a file before anything is fetched.
func checkFile(file NewFile) error {
	if length := utf8.RuneCountInString(file.Name); length == 0 || length > maxName {
		return errs.Invalidf("name", "has %d characters; 1 to %d are accepted", length, maxName)
	}
	if (file.URL == "") == (file.Base64 == nil) {
		return errs.Invalidf("url", "send either url or base64")
	}
	if file.URL != "" {
		return prefixed("url", fetch.CheckURL(file.URL))
	}
	return nil
}

// takeFile stores the bytes of one file.
func (s *Service) takeFile(ctx context.Context, file NewFile, n names) (*entity.Entry, error) {
	e, err := s.storeFile(ctx, file)
	if err != nil {
		return nil, err
	}
	e.ID = n.known[file.Ref]
	if e.ID == "" {
		e.ID = id.New("file")
	}
	return e, e.Validate()
}

func (s *Service) storeFile(ctx context.Context, file NewFile) (*entity.Entry, error) {
	if file.Base64 != nil {
		reader := base64.NewDecoder(base64.StdEncoding, strings.NewReader(*file.Base64))
		e, err := importer.StoreFile(ctx, s.deps.Content, file.Name, file.MediaType, reader)
		_, corrupt := errors.AsType[base64.CorruptInputError](err)
		if corrupt || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errs.Invalidf("base64", "is not base64 in the standard alphabet with padding")
		}
		return e, err
	}
	response, err := s.deps.Fetch.Get(ctx, file.URL, fetch.Limits{Bytes: MaxFileSize, Time: fetchTime})
	if err != nil {
		return nil, prefixed("url", err)
	}
	defer response.Body.Close()
	if response.Status != http.StatusOK {
		return nil, errs.Invalidf("url", "the server answers with status %d instead of the file", response.Status)
	}
	mediaType := file.MediaType
	if mediaType == "" {
		mediaType = response.ContentType
	}
	e, err := importer.StoreFile(ctx, s.deps.Content, file.Name, mediaType, response.Body)
	return e, prefixed("url", err)
}

// upload stores files as they come and commits them together.
func (s *Service) upload(ctx context.Context, at target, next func() (Upload, error)) (Result, error) {
	var result Result
	var put []store.Put
	for {
		file, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Result{}, err
		}
		if len(put) == MaxFiles {
			return Result{}, errs.New(errs.TooLarge, "There are more than %d files; send several requests.", MaxFiles)
		}
		e, err := s.takeUpload(ctx, file)
		if err != nil {
			return Result{}, prefixed(fmt.Sprintf("files[%d]", len(put)), err)
		}
		put = append(put, store.Put{Entry: e})
		result.Files = append(result.Files, e)
	}
	if len(put) == 0 {
		return Result{}, errs.Invalidf("files", "there is no file in the request")
	}
	var err error
	result.Revision, err = s.deps.Content.Commit(ctx, store.CommitRequest{
		Space: at.space, Branch: at.branch, Author: at.author, Put: put, Also: at.also(),
	})
	return result, err
}

// replace puts an upload in the place of a file's bytes. The file keeps its name: it is the same file, with other
// bytes.
func (s *Service) replace(ctx context.Context, at target, fileID string, next func() (Upload, error)) (Result, error) {
	view, err := s.base(ctx, at, "")
	if err != nil {
		return Result{}, err
	}
	e, err := newWork(s, view, at, names{}).other(ctx, fileNoun, fileID)
	if err != nil {
		return Result{}, err
	}
	sent, err := next()
	if err == io.EOF {
		return Result{}, errs.Invalidf("files", "there is no file in the request")
	}
	if err != nil {
		return Result{}, err
	}
	sent.Name = e.Name
	replacement, err := s.takeUpload(ctx, sent)
	if err != nil {
		return Result{}, prefixed("files[0]", err)
	}
	switch _, err := next(); {
	case err == nil:
		return Result{}, errs.Invalidf("files",
			"there is more than one file in the request; send the one that takes the place of the other")
	case err != io.EOF:
		return Result{}, err
	}
	batch := Batch{Space: at.space, Changes: []Change{{Operation: UpdateFile, File: fileID}}}
	result, err := s.commitBatch(ctx, at, batch, names{}, map[int][]*entity.Entry{0: {replacement}})
	if err != nil {
		return Result{}, err
	}
	if view, err = s.deps.Content.View(ctx, result.Revision.ID); err != nil {
		return Result{}, err
	}
	if e, err = view.Entry(ctx, fileID); err != nil {
		return Result{}, err
	}
	result.Files = []*entity.Entry{e}
	return result, nil
}

func (s *Service) takeUpload(ctx context.Context, file Upload) (*entity.Entry, error) {
	if length := utf8.RuneCountInString(file.Name); length == 0 || length > maxName {
		return nil, errs.Invalidf("name", "has %d characters; 1 to %d are accepted", length, maxName)
	}
	e, err := importer.StoreFile(ctx, s.deps.Content, file.Name, file.MediaType, importer.LimitReader(file.Content,
		MaxFileSize))
	if err != nil {
		return nil, err
	}
	e.ID = id.New("file")
	return e, e.Validate()
}
