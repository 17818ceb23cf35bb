package notification

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// MaxMarked is the most notifications that may be named at once.
const MaxMarked = 100

// List returns a page of what the caller is told of in an organization, the latest first, with the number of all of
// them and the keys of the next page. read, when it has a value, asks for what is read or what is not.
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID id.Organization,
	read optional.Value[bool], page paging.Request) (found paging.Page[Notification], err error) {
	at, last, err := page.Time(0, "")
	if err != nil {
		return paging.Page[Notification]{}, err
	}
	err = s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
		if err != nil {
			return err
		}
		condition, args := readable(organization)
		if want, set := read.Get(); set {
			condition += map[bool]string{true: ` AND n.read_at IS NOT NULL`, false: ` AND n.read_at IS NULL`}[want]
		}
		if err := q.QueryRowContext(ctx, `SELECT count(*) FROM notification n JOIN space s ON s.id = n.space_id WHERE `+
			condition, args...).Scan(&found.Count); err != nil {
			return fmt.Errorf("count notifications: %w", err)
		}
		if at > 0 {
			since, than := args.Add(at), args.Add(last)
			condition += ` AND (n.created_at, n.id) < (` + since + `, ` + than + `)`
		}
		found.Items, err = query(ctx, q, condition+` ORDER BY n.created_at DESC, n.id DESC LIMIT `+
			args.Add(page.Size()+1), args)
		return err
	})
	if err != nil {
		return paging.Page[Notification]{}, err
	}
	found.Cut(page.Size(), func(n Notification) []string {
		return []string{strconv.FormatInt(n.CreatedAt.UnixMicro(), 10), n.ID}
	})
	return found, nil
}

// readable is the condition on notification n and space s for what somebody is told of in an organization, and its
// arguments.
func readable(organization access.Organization) (string, db.Args) {
	args := db.Args{organization.User, organization.ID}
	return `n.user_id = $1 AND n.organization_id = $2 AND s.organization_id = $2 AND s.deleted_at IS NULL AND ` +
		access.ReadableSpaces(organization, &args), args
}

func query(ctx context.Context, q db.Querier, condition string, args db.Args) ([]Notification, error) {
	return db.All(ctx, q, "list notifications", func(row db.Scanner) (Notification, error) {
		var n Notification
		var at, read int64
		var pages, files sql.NullInt64
		err := row.Scan(&n.ID, &n.Kind, &n.User, &n.Actor, &n.Organization, &n.Space, &n.SpaceTitle, &n.ChangeRequest,
			&n.Number, &n.Title, &n.Page, &n.Comment, &n.Reply, &n.Excerpt, &at, &read,
			&pages, &files)
		n.CreatedAt = time.UnixMicro(at)
		if read > 0 {
			n.ReadAt = time.UnixMicro(read)
		}
		if pages.Valid {
			n.Imported = &Imported{Pages: int(pages.Int64), Files: int(files.Int64)}
		}
		return n, err
	}, `
		SELECT n.id, n.kind, n.user_id, COALESCE(n.actor_id, ''), n.organization_id, n.space_id, s.title,
			n.change_request_id, n.change_request_number, n.title, n.page_id, COALESCE(n.comment_id, ''),
			COALESCE(n.reply_id, ''), n.excerpt, n.created_at, COALESCE(n.read_at, 0),
			n.import_pages, n.import_files
		FROM notification n JOIN space s ON s.id = n.space_id WHERE `+condition, args...)
}

// Mark notes that the caller has read what they were told of in an organization, or that they have not: the
// notifications with those ids, or all when there are none. Ids of anything else change nothing.
func (s *Service) Mark(ctx context.Context, caller account.Caller, organizationID id.Organization, ids []string,
	read bool) error {
	if len(ids) > MaxMarked {
		return errs.Invalidf("body.notifications", "names %d notifications; up to %d are accepted", len(ids), MaxMarked)
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
		if err != nil {
			return err
		}
		args := db.Args{organization.User, organization.ID}
		statement := `UPDATE notification SET read_at = NULL WHERE user_id = $1 AND organization_id = $2
			AND read_at IS NOT NULL`
		if read {
			statement = `UPDATE notification SET read_at = ` + args.Add(s.now().UnixMicro()) + `, mail_at = NULL
				WHERE user_id = $1 AND organization_id = $2 AND read_at IS NULL`
		}
		if len(ids) > 0 {
			statement += ` AND id IN (` + db.Placeholders(len(args)+1, len(ids)) + `)`
			for _, each := range ids {
				args = append(args, each)
			}
		}
		if _, err := q.ExecContext(ctx, statement, args...); err != nil {
			return fmt.Errorf("mark notifications: %w", err)
		}
		return nil
	})
}
