package audience

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site"
)

// ShareLink is an address of a site with a secret in it.
type ShareLink struct {
	// ID is "sharelink_…".
	ID   string
	Site id.Site
	// Name is what the link is called, up to 50 characters.
	Name string
	// Active says that the link lets people in.
	Active    bool
	CreatedAt time.Time
	// LastUsedAt is when the link last let somebody in, to about a minute; zero for never.
	LastUsedAt time.Time
	// PublishedURL is the site's address with the secret, with a slash at its end; "" while the site is not published.
	PublishedURL string

	token string
}

// ShareLinkChange is the input of UpdateShareLink: what is absent stays.
type ShareLinkChange struct {
	Active optional.Value[bool]
	Name   optional.Value[string]
}

const (
	maxLinkName = 50
	// maxLinks is how many share links a site may have.
	maxLinks = 1000
	// tokenBytes are the random bytes of a token, tokenLength its characters.
	tokenBytes  = 20
	tokenLength = 32
)

var tokenEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// newToken returns a secret of 160 bits in lower-case letters and digits.
func newToken() string {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // never fails, see crypto/rand
	return strings.ToLower(tokenEncoding.EncodeToString(raw))
}

// IsToken reports whether a segment of a path has the form of a share link's secret.
func IsToken(segment string) bool {
	if len(segment) != tokenLength {
		return false
	}
	for i := range len(segment) {
		if c := segment[i]; (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}

// hashToken is what the database looks tokens up by: nobody learns from the time of a lookup how much of one was right.
func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func linkPurpose(linkID string) string { return "audience.share-link/" + linkID }

// ListShareLinks returns a page of a site's share links, the oldest first, with their number and the keys of the next
// page (nil on the last). It needs the right to administer the site: the links hold their secrets.
func (s *Service) ListShareLinks(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, page paging.Request) (links paging.Page[ShareLink], err error) {
	q := s.deps.DB.Read()
	of, err := s.deps.Sites.Managed(ctx, q, caller, organizationID, siteID, access.AdministerSite)
	if err != nil {
		return paging.Page[ShareLink]{}, err
	}
	rows, count, err := listLinks(ctx, q, siteID, page)
	if err != nil {
		return paging.Page[ShareLink]{}, err
	}
	links.Count = count
	rows, links.Next = paging.Cut(rows, page.Size(), func(r linkRow) []string { return []string{r.id} })
	for _, row := range rows {
		link, err := s.link(row, of)
		if err != nil {
			return paging.Page[ShareLink]{}, err
		}
		links.Items = append(links.Items, link)
	}
	return links, nil
}

// link makes the share link of a row.
func (s *Service) link(row linkRow, of site.Site) (ShareLink, error) {
	token, err := s.deps.Secrets.Open(row.sealed, linkPurpose(row.id))
	if err != nil {
		return ShareLink{}, err
	}
	link := ShareLink{ID: row.id, Site: of.ID, Name: row.name, Active: row.active,
		CreatedAt: time.UnixMicro(row.createdAt).UTC(), token: token}
	if row.lastUsedAt.Valid {
		link.LastUsedAt = time.UnixMicro(row.lastUsedAt.V).UTC()
	}
	link.PublishedURL = WithToken(of.PublishedURL, of.PublishedURL, token)
	return link, nil
}

// WithToken puts the secret of a share link into an address of the site with the given address: behind the site's own.
func WithToken(siteURL, address, token string) string {
	rest, ok := strings.CutPrefix(address, siteURL)
	if siteURL == "" || !ok {
		return address
	}
	return siteURL + token + "/" + rest
}

// CreateShareLink makes an active link. It needs the right to administer the site.
func (s *Service) CreateShareLink(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, name string) (ShareLink, error) {
	var made ShareLink
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		of, err := s.deps.Sites.Managed(ctx, q, caller, organizationID, siteID, access.AdministerSite)
		if err != nil {
			return err
		}
		if name, err = field.Text("name", name, 0, maxLinkName); err != nil {
			return err
		}
		count, err := countLinks(ctx, q, siteID)
		if err != nil {
			return err
		}
		if count >= maxLinks {
			return errs.Conflictf(
				"The site has %d share links, which is the most there can be; delete one that nobody needs.", count)
		}
		made = ShareLink{ID: id.New("sharelink"), Site: siteID, Name: name, Active: true, CreatedAt: s.clock(),
			token: newToken()}
		made.PublishedURL = WithToken(of.PublishedURL, of.PublishedURL, made.token)
		sealed, err := s.deps.Secrets.Seal(made.token, linkPurpose(made.ID))
		if err != nil {
			return err
		}
		if err := insertLink(ctx, q, made, sealed); err != nil {
			return err
		}
		return record(ctx, q, caller, of, "share-link.create", made, nil)
	})
	if err != nil {
		return ShareLink{}, err
	}
	return made, nil
}

// UpdateShareLink changes a link and returns it. A link that becomes inactive lets nobody in from then on, whoever has
// opened it before. It needs the right to administer the site.
func (s *Service) UpdateShareLink(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, linkID string, change ShareLinkChange) (ShareLink, error) {
	var after ShareLink
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		of, before, err := s.managedLink(ctx, q, caller, organizationID, siteID, linkID)
		if err != nil {
			return err
		}
		if change.Active.IsNull() {
			return errs.Invalidf("active", "may not be null; send true or false, or leave it out")
		}
		after = before
		after.Active = change.Active.Or(before.Active)
		if change.Name.IsNull() {
			after.Name = ""
		}
		if name, ok := change.Name.Get(); ok {
			if after.Name, err = field.Text("name", name, 0, maxLinkName); err != nil {
				return err
			}
		}
		if after == before {
			return nil
		}
		if err := updateLink(ctx, q, after); err != nil {
			return err
		}
		details := map[string]any{}
		if after.Active != before.Active {
			details["active"] = after.Active
		}
		return record(ctx, q, caller, of, "share-link.update", after, details)
	})
	if err != nil {
		return ShareLink{}, err
	}
	return after, nil
}

// DeleteShareLink removes a link for good: it lets nobody in from then on. It needs the right to administer the site.
func (s *Service) DeleteShareLink(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, linkID string) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		of, link, err := s.managedLink(ctx, q, caller, organizationID, siteID, linkID)
		if err != nil {
			return err
		}
		if err := deleteLink(ctx, q, linkID); err != nil {
			return err
		}
		return record(ctx, q, caller, of, "share-link.delete", link, nil)
	})
}

func (s *Service) managedLink(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	siteID id.Site, linkID string) (site.Site, ShareLink, error) {
	of, err := s.deps.Sites.Managed(ctx, q, caller, organizationID, siteID, access.AdministerSite)
	if err != nil {
		return site.Site{}, ShareLink{}, err
	}
	if !id.Valid("sharelink", linkID) {
		return site.Site{}, ShareLink{}, noLink()
	}
	row, err := linkByID(ctx, q, siteID, linkID)
	if errors.Is(err, db.ErrNoRows) {
		return site.Site{}, ShareLink{}, noLink()
	}
	if err != nil {
		return site.Site{}, ShareLink{}, err
	}
	link, err := s.link(row, of)
	return of, link, err
}

func noLink() error { return errs.NotFoundf("There is no such share link on this site.") }

// record writes an entry of the audit log about a share link.
func record(ctx context.Context, q db.Querier, caller account.Caller, of site.Site, action string, link ShareLink,
	details map[string]any) error {
	if details == nil {
		details = map[string]any{}
	}
	details["site"] = of.ID
	return audit.Record(ctx, q, audit.Entry{
		Organization: of.Organization, Actor: caller.User.ID, Token: caller.Token.ID, Action: action,
		Target: audit.Target{Kind: "share-link", ID: link.ID, Title: link.Name}, Details: details,
	})
}

// opens reports whether a secret is that of an active share link of a site, now, and notes that it was used.
func (s *Service) opens(ctx context.Context, siteID id.Site, token string) (bool, error) {
	if !IsToken(token) {
		return false, nil
	}
	row, err := linkByToken(ctx, s.deps.DB.Read(), siteID, hashToken(token))
	if errors.Is(err, db.ErrNoRows) {
		return false, nil
	}
	if err != nil || !row.active {
		return false, err
	}
	s.uses.note(row.id, s.deps.Now())
	return true, nil
}

// ShareKey checks the key of a share link for someone who asks the API for addresses of a site, and returns how such an
// address is with the key in it. The key is the secret in the link's address. errs.NotFound when it opens nothing.
func (s *Service) ShareKey(ctx context.Context, of site.Site, key string) (func(address string) string, error) {
	if key == "" {
		return func(address string) string { return address }, nil
	}
	if IsToken(key) {
		row, err := linkByToken(ctx, s.deps.DB.Read(), of.ID, hashToken(key))
		if err != nil && !errors.Is(err, db.ErrNoRows) {
			return nil, err
		}
		if err == nil && row.active {
			if of.Visibility != site.VisibilityShareLink {
				return func(address string) string { return address }, nil
			}
			return func(address string) string { return WithToken(of.PublishedURL, address, key) }, nil
		}
	}
	return nil, errs.NotFoundf(
		"There is no site for this shareKey: the share link is inactive or deleted, or is one of another site.")
}

// SharedSpaceURL returns where a space is live on the site of a share link, with the link's secret in the address; ""
// when the key opens no published site with the space on it. It checks no access to the space.
func (s *Service) SharedSpaceURL(ctx context.Context, spaceID id.Space, key string) (string, error) {
	if !IsToken(key) {
		return "", nil
	}
	siteID, err := siteOfToken(ctx, s.deps.DB.Read(), hashToken(key))
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	siteURL, address, err := s.deps.Sites.SpaceURLOn(ctx, siteID, spaceID)
	if err != nil || address == "" {
		return "", err
	}
	return WithToken(siteURL, address, key), nil
}
