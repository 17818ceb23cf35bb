// Package feedback owns what readers of published pages answered to the question whether they helped: the tables
// site_feedback and site_feedback_count.
//
// It promises that nothing in it says who a reader was, that a comment is added to an answer once and soon, and that
// answers about a space are shown to those alone who may read it. Whether the page is there, and for whom, is for the
// caller of Add to know.
package feedback

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site"
)

// Answer is what a reader of a published page answered to the question whether it helped. Nothing in it says who that
// was.
type Answer struct {
	// ID is "feedback_…".
	ID    string
	Site  id.Site
	Space id.Space
	// Page is the id of the page, PageTitle what it was called then.
	Page, PageTitle string
	Helpful         bool
	// Comment is what the reader added, "" for nothing.
	Comment   string
	CreatedAt time.Time
}

// PageCount counts the answers to a page.
type PageCount struct {
	Space               id.Space
	Page, PageTitle     string
	Helpful, NotHelpful int
	UpdatedAt           time.Time
}

// Deps is what the service stands on.
type Deps struct {
	DB    *db.DB
	Sites *site.Service
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Service keeps what readers answered.
type Service struct{ deps Deps }

// New returns a Service.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{deps}
}

func (s *Service) clock() time.Time { return s.deps.Now().Truncate(time.Microsecond).UTC() }

// Limits of what readers say.
const (
	// MaxComment is the greatest length of a comment, in characters.
	MaxComment = 1000
	// open is how long a reader may add a comment to an answer.
	open = time.Hour
)

// Told lets others know of an answer, in the transaction that keeps it.
type Told func(ctx context.Context, q db.Querier, answer Answer) error

// Add keeps an answer to a page of a live site and returns its id. Who calls it has made sure that the page is
// there and that the reader may see it. told may be nil.
func (s *Service) Add(ctx context.Context, in Answer, told Told) (string, error) {
	in.ID, in.CreatedAt = id.New("feedback"), s.clock()
	if title := []rune(in.PageTitle); len(title) > maxTitle {
		in.PageTitle = string(title[:maxTitle])
	}
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `
			INSERT INTO site_feedback (id, site_id, space_id, page_id, page_title, helpful, comment, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, '', $7)`,
			in.ID, in.Site, in.Space, in.Page, in.PageTitle, in.Helpful, in.CreatedAt.UnixMicro())
		if err != nil {
			return fmt.Errorf("insert feedback: %w", err)
		}
		helpful, not := 0, 1
		if in.Helpful {
			helpful, not = 1, 0
		}
		_, err = q.ExecContext(ctx, `
			INSERT INTO site_feedback_count (site_id, space_id, page_id, page_title, helpful, not_helpful, updated_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (site_id, space_id, page_id) DO UPDATE SET page_title = $4,
			helpful = site_feedback_count.helpful + $5,
				not_helpful = site_feedback_count.not_helpful + $6, updated_at = $7`,
			in.Site, in.Space, in.Page, in.PageTitle, helpful, not, in.CreatedAt.UnixMicro())
		if err != nil {
			return fmt.Errorf("count feedback: %w", err)
		}
		if told == nil {
			return nil
		}
		return told(ctx, q, in)
	})
	return in.ID, err
}

const maxTitle = 250

// Comment adds what a reader says to the answer with an id, once and within an hour. An answer that is not
// there, is older or has a comment is an errs.NotFound. told may be nil.
func (s *Service) Comment(ctx context.Context, siteID id.Site, feedbackID, comment string, told Told) error {
	comment = strings.TrimSpace(strings.ReplaceAll(comment, "\r\n", "\n"))
	if n := utf8.RuneCountInString(comment); !field.Storable(comment) || n == 0 || n > MaxComment {
		return errs.Invalidf("comment", "has %d characters; from 1 to %d are accepted", n, MaxComment)
	}
	gone := errs.NotFoundf("There is no answer to add this to any more.")
	if !id.Valid("feedback", feedbackID) {
		return gone
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		result, err := q.ExecContext(ctx, `
			UPDATE site_feedback SET comment = $3 WHERE id = $1 AND site_id = $2 AND comment = '' AND created_at > $4`,
			feedbackID, siteID, comment, s.clock().Add(-open).UnixMicro())
		if err != nil {
			return fmt.Errorf("comment feedback: %w", err)
		}
		n, err := result.RowsAffected()
		if err == nil && n == 0 {
			return gone
		}
		if err != nil || told == nil {
			return err
		}
		after := Answer{ID: feedbackID, Site: siteID, Comment: comment}
		err = q.QueryRowContext(ctx, `SELECT space_id, page_id, page_title, helpful FROM site_feedback WHERE id = $1`,
			feedbackID).Scan(&after.Space, &after.Page, &after.PageTitle, &after.Helpful)
		if err != nil {
			return fmt.Errorf("read feedback: %w", err)
		}
		return told(ctx, q, after)
	})
}

// AddComment keeps what a reader of another program that shows the site said: with the newest answer to the page of the
// last hour that says the same and has no comment, or as an answer of its own. Who calls it has made sure of what Add
// wants. told may be nil.
func (s *Service) AddComment(ctx context.Context, in Answer, told Told) error {
	waiting, err := db.All(ctx, s.deps.DB.Read(), "look for feedback", db.Column[string], `
		SELECT id FROM site_feedback WHERE site_id = $1 AND space_id = $2 AND page_id = $3 AND helpful = $4
			AND comment = '' AND created_at > $5 ORDER BY id DESC LIMIT 1`,
		in.Site, in.Space, in.Page, in.Helpful, s.clock().Add(-open).UnixMicro())
	if err != nil {
		return err
	}
	if len(waiting) == 0 {
		added, err := s.Add(ctx, in, told)
		if err != nil {
			return err
		}
		waiting = []string{added}
	}
	return s.Comment(ctx, in.Site, waiting[0], in.Comment, told)
}

// Filter narrows List; its zero value lists all.
type Filter struct {
	// Page is the id of a page.
	Page string
	// Commented asks for answers with a comment only.
	Commented bool
}

// List returns a page of the answers to the pages of a site, the newest first, with the number of all under the
// same filter and the keys of the next page. It is there for those who may see the site, without those about spaces
// that they may not read.
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, filter Filter, page paging.Request) (found paging.Page[Answer], err error) {
	q := s.deps.DB.Read()
	organization, _, err := s.deps.Sites.SeenIn(ctx, q, caller, organizationID, siteID)
	if err != nil {
		return paging.Page[Answer]{}, err
	}
	if !field.Storable(filter.Page) {
		return paging.Page[Answer]{}, nil
	}
	args := db.Args{siteID}
	readable := access.ReadableSpaces(organization, &args)
	condition := `f.site_id = $1 AND s.deleted_at IS NULL AND ` + readable
	if filter.Page != "" {
		condition += ` AND f.page_id = ` + args.Add(filter.Page)
	}
	if filter.Commented {
		condition += ` AND f.comment <> ''`
	}
	from := ` FROM site_feedback f JOIN space s ON s.id = f.space_id WHERE ` + condition
	if err := q.QueryRowContext(ctx, `SELECT count(*)`+from, args...).Scan(&found.Count); err != nil {
		return paging.Page[Answer]{}, fmt.Errorf("count feedback: %w", err)
	}
	if len(page.After) > 0 {
		from += ` AND f.id < ` + args.Add(page.After[0])
	}
	query := `SELECT f.id, f.space_id, f.page_id, f.page_title, f.helpful, f.comment, f.created_at` + from +
		` ORDER BY f.id DESC LIMIT ` + args.Add(page.Size()+1)
	found.Items, err = db.All(ctx, q, "list feedback", func(row db.Scanner) (Answer, error) {
		one := Answer{Site: siteID}
		var at int64
		err := row.Scan(&one.ID, &one.Space, &one.Page, &one.PageTitle, &one.Helpful, &one.Comment, &at)
		one.CreatedAt = time.UnixMicro(at).UTC()
		return one, err
	}, query, args...)
	if err != nil {
		return paging.Page[Answer]{}, err
	}
	found.Cut(page.Size(), func(f Answer) []string { return []string{f.ID} })
	return found, nil
}

// ListPages returns a page of the counts of answers to the pages of a site, those that helped fewest first: by
// the number of readers whom they did not help. It is there for whom List is.
func (s *Service) ListPages(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, page paging.Request) (found paging.Page[PageCount], err error) {
	q := s.deps.DB.Read()
	organization, _, err := s.deps.Sites.SeenIn(ctx, q, caller, organizationID, siteID)
	if err != nil {
		return paging.Page[PageCount]{}, err
	}
	args := db.Args{siteID}
	readable := access.ReadableSpaces(organization, &args)
	from :=
		` FROM site_feedback_count f JOIN space s ON s.id = f.space_id WHERE f.site_id = $1 AND s.deleted_at IS NULL
			AND ` + readable
	if err := q.QueryRowContext(ctx, `SELECT count(*)`+from, args...).Scan(&found.Count); err != nil {
		return paging.Page[PageCount]{}, fmt.Errorf("count pages with feedback: %w", err)
	}
	if page.After != nil {
		after, err := afterPage(page.After)
		if err != nil {
			return paging.Page[PageCount]{}, err
		}
		from += ` AND (f.not_helpful, f.space_id, f.page_id) < (` + db.Placeholders(len(args)+1, len(after)) + `)`
		args = append(args, after...)
	}
	query := `SELECT f.space_id, f.page_id, f.page_title, f.helpful, f.not_helpful, f.updated_at` + from +
		` ORDER BY f.not_helpful DESC, f.space_id DESC, f.page_id DESC LIMIT ` + args.Add(page.Size()+1)
	found.Items, err = db.All(ctx, q, "list pages with feedback", func(row db.Scanner) (PageCount, error) {
		var one PageCount
		var at int64
		err := row.Scan(&one.Space, &one.Page, &one.PageTitle, &one.Helpful, &one.NotHelpful, &at)
		one.UpdatedAt = time.UnixMicro(at).UTC()
		return one, err
	}, query, args...)
	if err != nil {
		return paging.Page[PageCount]{}, err
	}
	found.Cut(page.Size(), func(f PageCount) []string {
		return []string{strconv.Itoa(f.NotHelpful), string(f.Space), f.Page}
	})
	return found, nil
}

// afterPage reads the keys that a page of ListPages begins behind.
func afterPage(keys []string) ([]any, error) {
	refused := errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
	if len(keys) != 3 {
		return nil, refused
	}
	number, err := strconv.Atoi(keys[0])
	if err != nil {
		return nil, refused
	}
	return []any{number, keys[1], keys[2]}, nil
}
