package site

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site/hostname"
)

// checkHostname refuses what is no hostname, and the server's own ones.
func (s *Service) checkHostname(name string) error {
	if !hostname.Valid(name) {
		return errs.Invalidf("hostname",
			"%.40q is not accepted; a lower-case name with at least three parts such as docs.example.com is", name)
	}
	base, err := url.Parse(s.baseURL)
	if err == nil && strings.EqualFold(base.Hostname(), name) || s.sitesDomain != "" &&
		(name == s.sitesDomain || strings.HasSuffix(name, "."+s.sitesDomain)) {
		return errs.Invalidf("hostname", "%q is this server's own; choose a name of your own domain", name)
	}
	return nil
}

// HostnameRecord returns the record that a site's hostname needs, for any hostname of the site.
func (s Site) HostnameRecord() hostname.Record {
	return hostname.RecordFor(s.Hostname, s.HostnameToken)
}

// hostnameProof is what the domain name system has said before a change of a site.
type hostnameProof struct {
	asked  bool
	token  string
	proven bool
}

func (p hostnameProof) apply(site *Site) {
	if p.asked {
		// What was proven before stays so while the name is the same: a server that cannot be asked is no proof against
		// it.
		site.HostnameToken, site.HostnameProven = p.token, p.proven || site.HostnameProven
	}
}

// proof looks whether a hostname that a site is to have is its owner's. It asks the network, so it comes before the
// transaction of the change.
func (s *Service) proof(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	wanted optional.Value[string]) (hostnameProof, error) {
	name, ok := wanted.Get()
	if !ok {
		return hostnameProof{}, nil
	}
	_, site, err := s.manage(ctx, s.db.Read(), caller, organizationID, siteID, access.AdministerSite)
	if err != nil {
		return hostnameProof{}, err
	}
	if err := s.checkHostname(name); err != nil {
		return hostnameProof{}, err
	}
	row, err := siteByID(ctx, s.db.Read(), organizationID, siteID)
	if err != nil {
		return hostnameProof{}, err
	}
	if site.HostnameToken == "" {
		site.HostnameToken = rand.Text()
	}
	site.Hostname = name
	return hostnameProof{asked: true, token: site.HostnameToken, proven: s.proven(ctx, site, row.hostname)}, nil
}

// proven asks whether a site's hostname is proven to be its owner's.
func (s *Service) proven(ctx context.Context, site Site, organizationHost string) bool {
	alias := ""
	if s.sitesDomain != "" {
		alias = organizationHost + "." + s.sitesDomain
	}
	lookups := hostname.Lookups{TXT: s.deps.LookupTXT, CNAME: s.deps.LookupCNAME}
	return lookups.Proven(ctx, site.Hostname, site.HostnameToken, alias)
}

// ProveHostnames asks again for the hostnames that are not proven yet, and returns how many are now.
func (s *Service) ProveHostnames(ctx context.Context) (int, error) {
	pending, err := pendingHostnames(ctx, s.db.Read())
	if err != nil {
		return 0, err
	}
	found := 0
	for _, row := range pending {
		site := row.site()
		if !s.proven(ctx, site, row.hostname) {
			continue
		}
		err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			if err := proveHostname(ctx, q, site, s.clock()); err != nil {
				return err
			}
			return s.record(ctx, q, account.Caller{}, site, "site.prove-hostname", siteTarget(site),
				map[string]any{"hostname": site.Hostname})
		})
		if db.IsUnique(err) {
			continue // another site was faster
		}
		if err != nil {
			return found, err
		}
		found++
	}
	return found, ctx.Err()
}

// pendingHostnames returns sites whose hostname is not proven, a batch of them.
func pendingHostnames(ctx context.Context, q db.Querier) ([]siteRow, error) {
	return db.All(ctx, q, "list hostnames to prove", func(r db.Scanner) (siteRow, error) {
		var row siteRow
		err := r.Scan(row.own()...)
		return row, err
	}, `
		SELECT `+siteFields+` FROM site JOIN organization o ON o.id = site.organization_id
		WHERE site.custom_hostname <> '' AND NOT site.hostname_proven ORDER BY site.updated_at DESC LIMIT 200`)
}

func proveHostname(ctx context.Context, q db.Querier, site Site, now time.Time) error {
	_, err := q.ExecContext(ctx,
		`UPDATE site SET hostname_proven = TRUE, updated_at = $3 WHERE id = $1 AND custom_hostname = $2`,
		site.ID, site.Hostname, now.UnixMicro())
	if err != nil {
		return fmt.Errorf("prove hostname: %w", err)
	}
	return nil
}

// keepBasename makes the basename that a site leaves lead to it.
func keepBasename(ctx context.Context, q db.Querier, before Site, now time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO site_former_basename (organization_id, basename, site_id, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (organization_id, basename) DO UPDATE SET site_id = excluded.site_id,
		created_at = excluded.created_at`,
		before.Organization, before.Basename, before.ID, now.UnixMicro())
	if err != nil {
		return fmt.Errorf("keep former basename: %w", err)
	}
	return nil
}
