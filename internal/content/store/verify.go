package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store/pathindex"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Report takes a problem that a verification has found: where it is and what is wrong.
type Report func(where, problem string)

// Verified counts what Verify has looked at.
type Verified struct {
	Revisions, Nodes, Bodies, Entries, Files int
}

// Verify looks at all content and reports what is not as it was written: nodes and bodies whose bytes have another hash
// or another form than they are written in, revisions that lack a node, a body or a file, entries that are not valid,
// and path indexes of heads that are not what the entries derive. It changes nothing and may run beside writers. An
// error is one of the database, not of the content. It needs about 100 bytes of memory for each node, body and file.
func (s *Service) Verify(ctx context.Context, report Report) (Verified, error) {
	v := verification{service: s, report: report, bodies: marks{}, files: map[string]bool{}}
	for _, step := range []func(context.Context) error{v.stored, v.revisions, v.heads} {
		if err := step(ctx); err != nil {
			return v.counted, fmt.Errorf("verify the content: %w", err)
		}
	}
	return v.counted, nil
}

type verification struct {
	service *Service
	report  Report
	counted Verified
	bodies  marks           // that are there
	files   map[string]bool // whether one is there
}

// stored verifies every node and body by itself.
func (v *verification) stored(ctx context.Context) error {
	err := v.rows(ctx, "content_node", func(hash, encoded []byte) {
		v.counted.Nodes++
		if sum := sha256.Sum256(encoded); string(sum[:]) != string(hash) {
			v.report("node "+hex.EncodeToString(hash), "its bytes have another hash")
		} else if err := trie.Canonical(encoded); err != nil {
			v.report("node "+hex.EncodeToString(hash), err.Error())
		}
	})
	if err != nil {
		return err
	}
	return v.rows(ctx, "content_body", func(hash, body []byte) {
		v.counted.Bodies++
		v.bodies.add(hash)
		if sum := sha256.Sum256(body); string(sum[:]) != string(hash) {
			v.report("body "+hex.EncodeToString(hash), "its bytes have another hash")
		}
	})
}

// rows passes all rows of a table on.
func (v *verification) rows(ctx context.Context, table string, each func(hash, content []byte)) error {
	after := []byte{}
	for {
		last, count, err := v.someRows(ctx, table, after, each)
		if err != nil {
			return fmt.Errorf("read %s: %w", table, err)
		}
		if count < verifyAtOnce {
			return nil
		}
		after = last
	}
}

// verifyAtOnce is how many rows are read with one query; a body is up to a megabyte.
const verifyAtOnce = 50

func (v *verification) someRows(ctx context.Context, table string, after []byte,
	each func(hash, content []byte)) (last []byte, count int, err error) {
	err = db.Each(ctx, v.service.deps.DB.Read(), "", func(row db.Scanner) error {
		var hash, content []byte
		if err := row.Scan(&hash, &content); err != nil {
			return err
		}
		if len(hash) != len(trie.Hash{}) {
			v.report(table, fmt.Sprintf("a row has a hash of %d bytes", len(hash)))
		} else {
			each(hash, content)
		}
		last, count = hash, count+1
		return nil
	}, `SELECT hash, bytes FROM `+table+` WHERE hash > $1 ORDER BY hash LIMIT $2`, after, verifyAtOnce)
	return last, count, err
}

// revisions walks the tries of all revisions, each sound node once.
func (v *verification) revisions(ctx context.Context) error {
	seen := marks{}
	after := ""
	for {
		batch, err := readRoots(ctx, v.service.deps.DB.Read(), after)
		if err != nil {
			return fmt.Errorf("list revisions: %w", err)
		}
		for _, r := range batch {
			v.counted.Revisions++
			whole, err := v.walk(ctx, r, seen)
			if err != nil {
				return err
			}
			if !whole {
				seen = marks{} // what lies below what could not be read was not looked at
			}
		}
		if len(batch) < collectRead {
			return nil
		}
		after = batch[len(batch)-1].id
	}
}

// walk verifies what one revision holds; whole is false when a node of it could not be read.
func (v *verification) walk(ctx context.Context, r roots, seen marks) (whole bool, err error) {
	source := plainSource{v.service.deps.DB.Read()}
	meet := func(h trie.Hash) bool { return seen.add(h[:]) }
	for node, err := range trie.New(source, trie.ByID).Reachable(ctx, r.root, meet) {
		if err != nil {
			return v.unreadable(ctx, "revision "+r.id, err)
		}
		for _, item := range node.Items {
			if err := v.entry(ctx, id.Revision(r.id), item); err != nil {
				return false, err
			}
		}
	}
	for _, err := range trie.New(source, trie.ByParent).Reachable(ctx, r.paths, meet) {
		if err != nil {
			return v.unreadable(ctx, "path index of revision "+r.id, err)
		}
	}
	return true, nil
}

// unreadable reports an error of the content, and returns one of the database.
func (v *verification) unreadable(ctx context.Context, where string, err error) (bool, error) {
	if ctx.Err() != nil || !errors.Is(err, trie.ErrCorrupt) && !errors.Is(err, errMissing) {
		return false, err
	}
	v.report(where, err.Error())
	return false, nil
}

func (v *verification) entry(ctx context.Context, revision id.Revision, item trie.Item) error {
	v.counted.Entries++
	where := "entry " + item.Key + " of revision " + string(revision)
	decoded, err := entity.Decode(item.Key, item.Value)
	if err == nil {
		err = decoded.Validate()
	}
	if err != nil {
		v.report(where, err.Error())
		return nil
	}
	if decoded.Body != "" {
		if hash, err := hex.DecodeString(decoded.Body); err != nil || len(hash) != len(trie.Hash{}) ||
			!v.bodies.has(hash) {
			v.report(where, "its body "+decoded.Body+" is not there")
		}
	}
	if decoded.Blob == "" {
		return nil
	}
	there, known := v.files[decoded.Blob]
	if !known {
		v.counted.Files++
		_, err := v.service.deps.Blobs.Stat(ctx, decoded.Blob)
		if err != nil && !errors.Is(err, blob.ErrNotFound) {
			return fmt.Errorf("look for file %s: %w", decoded.Blob, err)
		}
		there = err == nil
		v.files[decoded.Blob] = there
	}
	if !there {
		v.report(where, "its file "+decoded.Blob+" is not there")
	}
	return nil
}

// heads compares the path index of each head with what its entries derive.
func (v *verification) heads(ctx context.Context) error {
	revisions, err := readStrings(ctx, v.service.deps.DB.Read(),
		`SELECT DISTINCT head_revision_id FROM content_branch ORDER BY head_revision_id`)
	if err != nil {
		return fmt.Errorf("list heads: %w", err)
	}
	for _, revisionID := range revisions {
		revision, err := v.service.Revision(ctx, id.Revision(revisionID))
		if err != nil {
			v.report("revision "+revisionID, err.Error())
			continue
		}
		if err := v.paths(ctx, revision); err != nil {
			return err
		}
	}
	return nil
}

func (v *verification) paths(ctx context.Context, revision Revision) error {
	where := "path index of revision " + string(revision.ID)
	source := plainSource{v.service.deps.DB.Read()}
	derived := map[string]string{}
	for item, err := range trie.New(source, trie.ByID).All(ctx, revision.Root) {
		if err != nil {
			return skipReported(ctx, err)
		}
		decoded, err := entity.Decode(item.Key, item.Value)
		if err != nil {
			return nil // reported already
		}
		if key, value, ok := pathindex.Of(decoded); ok {
			derived[key] = string(value)
		}
	}
	for item, err := range trie.New(source, trie.ByParent).All(ctx, revision.Paths) {
		if err != nil {
			return skipReported(ctx, err)
		}
		if derived[item.Key] != string(item.Value) {
			v.report(where, fmt.Sprintf("it has %q, which the entries do not derive", item.Key))
			return nil
		}
		delete(derived, item.Key)
	}
	for key := range derived {
		v.report(where, fmt.Sprintf("it lacks %q", key))
		return nil
	}
	return nil
}

// skipReported passes on an error of the database; one of the content was reported before.
func skipReported(ctx context.Context, err error) error {
	if ctx.Err() == nil && (errors.Is(err, trie.ErrCorrupt) || errors.Is(err, errMissing)) {
		return nil
	}
	return err
}
