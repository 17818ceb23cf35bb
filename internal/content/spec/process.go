package spec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
)

// Limits of fetching and reading.
const (
	fetchTime = 30 * time.Second
	// readTime bounds reading a document with all files that it refers to.
	readTime = 60 * time.Second
	// fileTime bounds fetching one of these files.
	fileTime = 15 * time.Second
	// refreshBatch is how many specifications one run of the periodic job looks at.
	refreshBatch = 100
	// maxMessage bounds a message in the list of errors, in bytes.
	maxMessage = 600
	accept     = "application/json, application/yaml, application/vnd.oai.openapi, text/yaml, " +
		"text/plain;q=0.9, */*;q=0.5"
)

type processArgs struct {
	Spec       string `json:"spec"`
	Generation int64  `json:"generation"`
}

// process fetches and reads a specification. What is wrong with it goes into its record; an error is returned only when
// the server could not do the work, so that another run starts over.
func (s *Service) process(ctx context.Context, raw json.RawMessage) error {
	var args processArgs
	if err := json.Unmarshal(raw, &args); err != nil {
		return errs.Wrap(err, errs.Invalid, "The arguments of the job are damaged.")
	}
	var current Spec
	runs := false
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		if runs, err = begin(ctx, q, args.Spec, args.Generation, s.deps.Now()); err != nil || !runs {
			return err
		}
		current, err = byID(ctx, q, args.Spec)
		return err
	})
	if err != nil || !runs {
		return err
	}
	source, failure, err := s.source(ctx, current)
	if err != nil {
		return err
	}
	if failure != nil {
		return s.end(ctx, current, *failure)
	}
	return s.end(ctx, current, s.digest(ctx, current, source))
}

// ended notes in the transaction that ends a job that a specification could not be processed for reasons of the server.
// Refresh has it tried again later.
func (s *Service) ended(ctx context.Context, q db.Querier, raw json.RawMessage, end job.End) error {
	var args processArgs
	if end.State == job.Done || json.Unmarshal(raw, &args) != nil {
		return nil
	}
	problem := Problem{Code: "error",
		Message: "The server could not read this description. It tries again within an hour; " +
			"its log has the reason."}
	now := s.deps.Now()
	return giveUp(ctx, q, args.Spec, args.Generation, problem, now, now.Add(abandonedAfter))
}

// outcome is what came of processing.
type outcome struct {
	code     ErrorCode
	problems []Problem
	// err is a fault of the server: nothing is written then.
	err    error
	source []byte
	bundle []byte
	format oas.Format
}

func failed(code ErrorCode, message string) *outcome {
	return &outcome{code: code, problems: []Problem{{Message: clip(message), Code: "error"}}}
}

func clip(message string) string {
	message = strings.ToValidUTF8(strings.ReplaceAll(message, "\x00", "\ufffd"), "\ufffd")
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "…"
	}
	return message
}

// source returns the bytes of a specification, or why they are not to be had.
func (s *Service) source(ctx context.Context, current Spec) ([]byte, *outcome, error) {
	if current.SourceURL == "" {
		source, err := s.read(ctx, current.sourceBlob)
		return source, nil, err
	}
	fetching, cancel := context.WithTimeout(ctx, s.deps.FetchTime)
	defer cancel()
	response, body, err := s.deps.Fetch(fetching, current.SourceURL, fetch.Limits{Bytes: oas.MaxBytes,
		Time: 2 * s.deps.FetchTime, Accept: accept})
	switch {
	case err == nil && response.Status != http.StatusOK:
		return nil, failed(FetchError,
			fmt.Sprintf("The address answered with status %d; it has to answer 200 with the description.",
				response.Status)), nil
	case err == nil:
		return body, nil, nil
	case ctx.Err() != nil:
		return nil, nil, err // the process stops or the job was cancelled
	case timedOut(fetching, err):
		return nil, failed(FetchTimeout, fmt.Sprintf("The address did not answer within %s.", s.deps.FetchTime)), nil
	}
	return nil, failed(FetchError, s.explain(ctx, current, err)), nil
}

func timedOut(ctx context.Context, err error) bool {
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	slow, ok := errors.AsType[net.Error](err)
	return ok && slow.Timeout()
}

// explain says why fetching failed, as far as that is for the owner of the specification to know.
func (s *Service) explain(ctx context.Context, current Spec, err error) string {
	if own, ok := errors.AsType[*errs.Error](err); ok && own.Message != "" {
		return own.Message
	}
	s.deps.Log.WarnContext(ctx, "fetch specification", slog.String("spec", current.ID), slog.Any("error", err))
	return "The address cannot be fetched."
}

// digest reads a document.
func (s *Service) digest(ctx context.Context, current Spec, source []byte) outcome {
	select {
	case s.parsing <- struct{}{}:
		defer func() { <-s.parsing }()
	case <-ctx.Done():
		return outcome{err: ctx.Err()}
	}
	reading, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	options := oas.Options{Address: current.SourceURL}
	if current.SourceURL != "" {
		options.Load = s.load
	}
	document, found, err := oas.Read(reading, source, options)
	switch {
	case ctx.Err() != nil:
		return outcome{err: ctx.Err()}
	case err != nil:
		return *failed(ParseError, fmt.Sprintf("Reading the description takes longer than %s.", readTime))
	}
	result := outcome{problems: make([]Problem, 0, len(found)), source: source, format: oas.FormatOf(source)}
	for _, problem := range found {
		code := "error"
		if problem.Warning {
			code = "warning"
		}
		result.problems = append(result.problems, Problem{Message: clip(problem.String()), Code: code})
	}
	if document == nil {
		result.code = ParseError
		return result
	}
	if result.bundle, err = document.Bundle(); err != nil {
		return *failed(ParseError, "The description with all that it refers to is too large.")
	}
	return result
}

// load fetches a file that a description refers to.
func (s *Service) load(ctx context.Context, address string) ([]byte, error) {
	response, body, err := s.deps.Fetch(ctx, address, fetch.Limits{Bytes: oas.MaxBytes, Time: fileTime, Accept: accept})
	if err != nil {
		return nil, err
	}
	if response.Status != http.StatusOK {
		return nil, errs.Invalidf("$ref", "the address answered with status %d", response.Status)
	}
	return body, nil
}

// end stores what processing has found.
func (s *Service) end(ctx context.Context, current Spec, result outcome) error {
	if result.err != nil {
		return result.err
	}
	made := Version{ID: id.New("specversion"), Spec: current.ID, Format: result.format, address: current.SourceURL,
		RawSize: int64(len(result.source))}
	if result.code == "" {
		var err error
		if made.RawBlob, _, err = s.deps.Content.PutFile(ctx, bytes.NewReader(result.source)); err != nil {
			return err
		}
		if made.BundleBlob, _, err = s.deps.Content.PutFile(ctx, bytes.NewReader(result.bundle)); err != nil {
			return err
		}
	}
	current.Error, current.Problems = result.code, result.problems
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		now := s.deps.Now()
		next := time.Time{}
		if current.SourceURL != "" {
			next = now.Add(RefreshAfter)
		}
		written, err := finish(ctx, q, current, now, next)
		if err != nil || !written || result.code != "" {
			return err
		}
		made.CreatedAt = now
		return s.addIfNew(ctx, q, current.ID, made)
	})
	if err != nil {
		return fmt.Errorf("store specification: %w", err)
	}
	return nil
}

// addIfNew stores a version unless the latest one says the same.
func (s *Service) addIfNew(ctx context.Context, q db.Querier, specID string, made Version) error {
	current, err := byID(ctx, q, specID)
	if err != nil {
		return err
	}
	if current.LastVersion != "" {
		latest, err := version(ctx, q, current, current.LastVersion)
		if err != nil {
			return err
		}
		if latest.RawBlob == made.RawBlob && latest.BundleBlob == made.BundleBlob {
			return nil
		}
	}
	if err := addVersion(ctx, q, made); err != nil {
		return err
	}
	return s.tellChanged(ctx, q, current)
}

// tellChanged tells that a specification has changed.
func (s *Service) tellChanged(ctx context.Context, q db.Querier, of Spec) error {
	if tell := s.hooks.Get().Changed; tell != nil {
		return tell(ctx, q, of.Organization, of.Slug)
	}
	return nil
}

// Refresh has those specifications processed again whose time has come: the ones at an address after RefreshAfter, and
// any whose processing got lost.
func (s *Service) Refresh(ctx context.Context) error {
	if err := s.forget(ctx, s.deps.Now()); err != nil {
		return err
	}
	for {
		now := s.deps.Now()
		waiting, err := due(ctx, s.deps.DB.Read(), now, refreshBatch)
		if err != nil {
			return err
		}
		for _, each := range waiting {
			err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
				taken, err := again(ctx, q, each, now, now.Add(abandonedAfter))
				if err != nil || !taken {
					return err
				}
				_, err = s.deps.Jobs.Enqueue(ctx, q, processKind,
					processArgs{Spec: each.ID, Generation: each.generation + 1})
				return err
			})
			if err != nil {
				return fmt.Errorf("refresh specification: %w", err)
			}
		}
		if len(waiting) < refreshBatch {
			return nil
		}
	}
}
