package site

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
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Feedback is what a reader of a published page answered to the question whether it helped. Nothing in it says who that
// was.
type Feedback struct {
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

// PageFeedback counts the answers to a page.
type PageFeedback struct {
	Space               id.Space
	Page, PageTitle     string
	Helpful, NotHelpful int
	UpdatedAt           time.Time
}

// Limits of what readers say.
const (
	// MaxFeedbackComment is the greatest length of a comment, in characters.
	MaxFeedbackComment = 1000
	// feedbackOpen is how long a reader may add a comment to an answer.
	feedbackOpen = time.Hour
)

// AddFeedback keeps an answer to a page of a live site and returns its id. Who calls it has made sure that the page is
// there and that the reader may see it.
func (s *Service) AddFeedback(ctx context.Context, in Feedback) (string, error) {
	in.ID, in.CreatedAt = id.New("feedback"), s.clock()
	if title := []rune(in.PageTitle); len(title) > maxFeedbackTitle {
		in.PageTitle = string(title[:maxFeedbackTitle])
	}
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
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
		return nil
	})
	return in.ID, err
}

const maxFeedbackTitle = 250

// CommentFeedback adds what a reader says to the answer with an id, once and within an hour. An answer that is not
// there, is older or has a comment is an errs.NotFound.
func (s *Service) CommentFeedback(ctx context.Context, siteID id.Site, feedbackID, comment string) error {
	comment = strings.TrimSpace(strings.ReplaceAll(comment, "\r\n", "\n"))
	if n := utf8.RuneCountInString(comment); !field.Storable(comment) || n == 0 || n > MaxFeedbackComment {
		return errs.Invalidf("comment", "has %d characters; from 1 to %d are accepted", n, MaxFeedbackComment)
	}
	gone := errs.NotFoundf("There is no answer to add this to any more.")
	if !id.Valid("feedback", feedbackID) {
		return gone
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		result, err := q.ExecContext(ctx, `
			UPDATE site_feedback SET comment = $3 WHERE id = $1 AND site_id = $2 AND comment = '' AND created_at > $4`,
			feedbackID, siteID, comment, s.clock().Add(-feedbackOpen).UnixMicro())
		if err != nil {
			return fmt.Errorf("comment feedback: %w", err)
		}
		n, err := result.RowsAffected()
		if err == nil && n == 0 {
			return gone
		}
		return err
	})
}

// FeedbackFilter narrows ListFeedback; its zero value lists all.
type FeedbackFilter struct {
	// Page is the id of a page.
	Page string
	// Commented asks for answers with a comment only.
	Commented bool
}

// ListFeedback returns a page of the answers to the pages of a site, the newest first, with the number of all under the
// same filter and the keys of the next page. It is there for those who may see the site, without those about spaces
// that they may not read.
func (s *Service) ListFeedback(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, filter FeedbackFilter, page paging.Request) (found paging.Page[Feedback], err error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return paging.Page[Feedback]{}, err
	}
	if _, err := s.load(ctx, q, organization, siteID); err != nil {
		return paging.Page[Feedback]{}, err
	}
	if !field.Storable(filter.Page) {
		return paging.Page[Feedback]{}, nil
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
		return paging.Page[Feedback]{}, fmt.Errorf("count feedback: %w", err)
	}
	if len(page.After) > 0 {
		from += ` AND f.id < ` + args.Add(page.After[0])
	}
	query := `SELECT f.id, f.space_id, f.page_id, f.page_title, f.helpful, f.comment, f.created_at` + from +
		` ORDER BY f.id DESC LIMIT ` + args.Add(page.Size()+1)
	found.Items, err = db.All(ctx, q, "list feedback", func(row db.Scanner) (Feedback, error) {
		one := Feedback{Site: siteID}
		var at int64
		err := row.Scan(&one.ID, &one.Space, &one.Page, &one.PageTitle, &one.Helpful, &one.Comment, &at)
		one.CreatedAt = time.UnixMicro(at).UTC()
		return one, err
	}, query, args...)
	if err != nil {
		return paging.Page[Feedback]{}, err
	}
	found.Cut(page.Size(), func(f Feedback) []string { return []string{f.ID} })
	return found, nil
}

// ListPageFeedback returns a page of the counts of answers to the pages of a site, those that helped fewest first: by
// the number of readers whom they did not help. It is there for whom ListFeedback is.
func (s *Service) ListPageFeedback(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, page paging.Request) (found paging.Page[PageFeedback], err error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return paging.Page[PageFeedback]{}, err
	}
	if _, err := s.load(ctx, q, organization, siteID); err != nil {
		return paging.Page[PageFeedback]{}, err
	}
	args := db.Args{siteID}
	readable := access.ReadableSpaces(organization, &args)
	from :=
		` FROM site_feedback_count f JOIN space s ON s.id = f.space_id WHERE f.site_id = $1 AND s.deleted_at IS NULL
			AND ` + readable
	if err := q.QueryRowContext(ctx, `SELECT count(*)`+from, args...).Scan(&found.Count); err != nil {
		return paging.Page[PageFeedback]{}, fmt.Errorf("count pages with feedback: %w", err)
	}
	if page.After != nil {
		after, err := afterPage(page.After)
		if err != nil {
			return paging.Page[PageFeedback]{}, err
		}
		from += ` AND (f.not_helpful, f.space_id, f.page_id) < (` + db.Placeholders(len(args)+1, len(after)) + `)`
		args = append(args, after...)
	}
	query := `SELECT f.space_id, f.page_id, f.page_title, f.helpful, f.not_helpful, f.updated_at` + from +
		` ORDER BY f.not_helpful DESC, f.space_id DESC, f.page_id DESC LIMIT ` + args.Add(page.Size()+1)
	found.Items, err = db.All(ctx, q, "list pages with feedback", func(row db.Scanner) (PageFeedback, error) {
		var one PageFeedback
		var at int64
		err := row.Scan(&one.Space, &one.Page, &one.PageTitle, &one.Helpful, &one.NotHelpful, &at)
		one.UpdatedAt = time.UnixMicro(at).UTC()
		return one, err
	}, query, args...)
	if err != nil {
		return paging.Page[PageFeedback]{}, err
	}
	found.Cut(page.Size(), func(f PageFeedback) []string {
		return []string{strconv.Itoa(f.NotHelpful), string(f.Space), f.Page}
	})
	return found, nil
}

// afterPage reads the keys that a page of ListPageFeedback begins behind.
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
