package space

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// All spaces and collections of an organization have their positions in one order, of which the content of each
// collection shows a part: so a list of everything and a list of one collection agree, and things keep their order when
// they change collections. Transactions are serializable, so that no two of them choose one position.

// maxPosition is how long, in bytes, a position may get before the organization's order is numbered anew. It takes a
// thousand moves to one place to get there.
const maxPosition = 200

// Pointer names a space or a collection; exactly one field is set.
type Pointer struct {
	Space      id.Space
	Collection id.Collection
}

// Position is where something goes among its new neighbours. With neither it goes behind all of them; with both it goes
// before Before, which has to come after After.
type Position struct {
	Before *Pointer
	After  *Pointer
}

func (p Position) isSet() bool { return p.Before != nil || p.After != nil }

// endOf returns a position behind everything in an organization, the trash included.
func endOf(ctx context.Context, q db.Querier, organizationID id.Organization) (string, error) {
	last, err := neighbour(ctx, q, `MAX`, `position > $2`, organizationID, "", "")
	if err != nil {
		return "", err
	}
	return entity.Between(last, ""), nil
}

// neighbour returns the first or last position of an organization that meets a condition on $2, leaving out the thing
// with an id; "" when there is none.
func neighbour(ctx context.Context, q db.Querier, pick, condition string, organizationID id.Organization, from,
	without string) (string, error) {
	var position sql.Null[string]
	where := ` WHERE organization_id = $1 AND ` + condition + ` AND id <> $3`
	err := q.QueryRowContext(ctx, `
		SELECT `+pick+`(x.position) FROM (
			SELECT `+pick+`(position) AS position FROM space`+where+`
			UNION ALL
			SELECT `+pick+`(position) FROM collection`+where+`) x`, organizationID, from, without).Scan(&position)
	if err != nil {
		return "", fmt.Errorf("select neighbouring position: %w", err)
	}
	return position.V, nil
}

// placed returns the position that a thing gets below a parent ("" for the top of the organization).
func placed(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	parent id.Collection, thing string, wanted Position) (string, error) {
	for renumbered := false; ; renumbered = true {
		position, err := placeOnce(ctx, q, caller, organizationID, parent, thing, wanted)
		if err != nil || len(position) <= maxPosition || renumbered {
			return position, err
		}
		if err := renumber(ctx, q, organizationID); err != nil {
			return "", err
		}
	}
}

func placeOnce(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	parent id.Collection, thing string, wanted Position) (string, error) {
	if !wanted.isSet() {
		return endOf(ctx, q, organizationID)
	}
	var before, after string
	var err error
	if wanted.Before != nil {
		if before, err = anchor(ctx, q, caller, "position.before", organizationID, parent, thing,
			*wanted.Before); err != nil {
			return "", err
		}
	}
	if wanted.After != nil {
		if after, err = anchor(ctx, q, caller, "position.after", organizationID, parent, thing,
			*wanted.After); err != nil {
			return "", err
		}
	}
	switch {
	case before == "":
		next, err := neighbour(ctx, q, `MIN`, `position > $2`, organizationID, after, thing)
		return entity.Between(after, next), err
	case after != "" && after >= before:
		return "", errs.Invalidf("position",
			"asks for a place between two neighbours of which the one in after comes last; exchange them")
	}
	previous, err := neighbour(ctx, q, `MAX`, `position < $2`, organizationID, before, thing)
	return entity.Between(previous, before), err
}

// anchor returns the position of a neighbour, which has to be below the parent.
func anchor(ctx context.Context, q db.Querier, caller account.Caller, path string, organizationID id.Organization,
	parent id.Collection, thing string, pointer Pointer) (string, error) {
	if (pointer.Space == "") == (pointer.Collection == "") {
		return "", errs.Invalidf(path, "has to name one space or one collection")
	}
	if string(pointer.Space) == thing || string(pointer.Collection) == thing {
		return "", errs.Invalidf(path, "names the very thing that is moved; name a neighbour")
	}
	var (
		position     string
		organization id.Organization
		above        id.Collection
	)
	if pointer.Space != "" {
		allowed, err := access.LoadSpace(ctx, q, caller, pointer.Space)
		if err != nil {
			return "", err
		}
		space, err := get(ctx, q, allowed)
		if err != nil {
			return "", err
		}
		if allowed.Trashed {
			return "", errs.Invalidf(path, "names a space in the trash")
		}
		position, organization, above = space.position, space.Organization, space.Parent
	} else {
		allowed, err := access.LoadCollection(ctx, q, caller, pointer.Collection)
		if err != nil {
			return "", err
		}
		collection, err := getCollection(ctx, q, allowed)
		if err != nil {
			return "", err
		}
		position, organization, above = collection.position, collection.Organization, collection.Parent
	}
	if organization != organizationID || above != parent {
		return "", errs.Invalidf(path, "names something in another place; name a neighbour there, or send parent, too")
	}
	return position, nil
}

// renumber gives everything in an organization a short position, in the same order.
func renumber(ctx context.Context, q db.Querier, organizationID id.Organization) error {
	things, err := queryThings(ctx, q, `
		SELECT x.id, x.is_space, x.position FROM (
			SELECT id, 1 AS is_space, position FROM space WHERE organization_id = $1
			UNION ALL
			SELECT id, 0, position FROM collection WHERE organization_id = $1) x
		ORDER BY x.position, x.id`, organizationID)
	if err != nil {
		return err
	}
	for i, position := range entity.Positions(len(things)) {
		if err := setPosition(ctx, q, things[i], position); err != nil {
			return err
		}
	}
	return nil
}

// thing is a space or a collection in an order.
type thing struct {
	id      string
	isSpace bool
}

// table is the one that a thing is in.
func (t thing) table() string {
	if t.isSpace {
		return "space"
	}
	return "collection"
}

// object is what grants for the thing are about.
func (t thing) object() access.Object {
	if t.isSpace {
		return access.SpaceObject(id.Space(t.id))
	}
	return access.CollectionObject(id.Collection(t.id))
}

func setPosition(ctx context.Context, q db.Querier, t thing, position string) error {
	if _, err := q.ExecContext(ctx, `UPDATE `+t.table()+` SET position = $2 WHERE id = $1`, t.id,
		position); err != nil {
		return fmt.Errorf("set position of %s: %w", t.table(), err)
	}
	return nil
}

// queryThings reads rows of id, whether it is a space, and position.
func queryThings(ctx context.Context, q db.Querier, query string, args ...any) ([]thing, error) {
	return db.All(ctx, q, "list spaces and collections", func(row db.Scanner) (thing, error) {
		var (
			t        thing
			isSpace  int
			position string
		)
		err := row.Scan(&t.id, &isSpace, &position)
		t.isSpace = isSpace == 1
		return t, err
	}, query, args...)
}
