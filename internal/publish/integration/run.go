package integration

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Level says for what a script runs: the integration itself when all is "", an installation, or an installation on one
// space or site.
type Level struct {
	Installation string
	Space        id.Space
	Site         id.Site
}

// Running is the newest version of an integration, with all that its script is run with on one level.
type Running struct {
	Integration Integration
	// Script is the hash of the program's bytes.
	Script  string
	Secrets map[string]string
	Owner   id.Organization
	// Tunnel is where events go in development mode, "" for the script.
	Tunnel string
	Level  Level
	// Installation is there from the level of an installation on, OnContent on that of a space or site.
	Installation *Installation
	OnContent    *ContentInstallation
}

// Run returns what the script of an integration is run with. It checks no access: who calls says for whom. It is an
// errs.NotFound when the integration is not published, or not installed or paused on that level.
func (s *Service) Run(ctx context.Context, name string, level Level) (Running, error) {
	q := s.deps.DB.Read()
	if checkName(name) != nil {
		return Running{}, noIntegration(name)
	}
	run := Running{Level: level, Secrets: map[string]string{}}
	i := &run.Integration
	var scopes, sealed, tunnel string
	var tunnelAll bool
	var icon Image
	err := q.QueryRowContext(ctx, `
		SELECT i.id, i.name, i.title, i.version, i.runtime, i.policy, i.scopes, i.secrets, i.organization_id,
			i.visibility, i.target, i.tunnel_url, i.tunnel_all, v.script_blob,
			COALESCE(p.blob, ''), COALESCE(p.media_type, '')
		FROM integration i JOIN integration_version v ON v.integration_id = i.id AND v.number = i.version
			LEFT JOIN integration_image p ON p.integration_id = i.id AND p.number = 0
		WHERE i.name_key = $1 AND i.published`, nameKey(name)).
		Scan(&i.ID, &i.Name, &i.Title, &i.Version, &i.Runtime, &i.Policy, &scopes, &sealed, &run.Owner,
			&i.Visibility, &i.Target, &tunnel, &tunnelAll, &run.Script, &icon.Blob, &icon.MediaType)
	if errors.Is(err, db.ErrNoRows) {
		return Running{}, noIntegration(name)
	}
	if err != nil {
		return Running{}, fmt.Errorf("read integration to run: %w", err)
	}
	if icon.Blob != "" {
		i.Icon = &icon
	}
	if err := json.Unmarshal([]byte(scopes), &i.Scopes); err != nil {
		return Running{}, fmt.Errorf("decode scopes of %s: %w", i.ID, err)
	}
	if sealed != "" {
		text, err := s.deps.Secrets.Open(sealed, secretsPurpose(i.ID))
		if err == nil {
			err = json.Unmarshal([]byte(text), &run.Secrets)
		}
		if err != nil {
			return Running{}, fmt.Errorf("open secrets of %s: %w", i.ID, err)
		}
	}
	organization := run.Owner
	if level.Installation != "" {
		if err := s.levels(ctx, q, &run); err != nil {
			return Running{}, err
		}
		organization = run.Installation.Organization
	}
	if tunnel != "" && (tunnelAll || organization == run.Owner) {
		run.Tunnel = tunnel
	}
	return run, nil
}

// levels reads the installation of a level, and that on its space or site.
func (s *Service) levels(ctx context.Context, q db.Querier, run *Running) error {
	r, err := rootByID(ctx, q, run.Integration.Name, run.Level.Installation)
	if err != nil {
		return err
	}
	installation, err := s.installation(r)
	if err != nil {
		return err
	}
	if installation.Status == Paused {
		return noInstallation()
	}
	run.Installation = &installation
	kind, contentID := OnSpaces, string(run.Level.Space)
	if run.Level.Site != "" {
		kind, contentID = OnSites, string(run.Level.Site)
	}
	if contentID == "" {
		return nil
	}
	below, _, err := s.installedRow(ctx, q, r, kind, contentID)
	if err != nil {
		return err
	}
	on, err := s.onContent(r, kind, contentID, below)
	if err != nil {
		return err
	}
	if on.Status == Paused {
		return noInstallation()
	}
	run.OnContent = &on
	return nil
}

// Owned returns an integration that the caller administers: an admin of the organization that publishes it.
func (s *Service) Owned(ctx context.Context, caller account.Caller, name string) (Integration, error) {
	found, err := s.Get(ctx, caller, name)
	if err != nil {
		return Integration{}, err
	}
	_, err = access.RequireOrganization(ctx, s.deps.DB.Read(), caller, found.Owner.ID, access.AdministerOrganization)
	if errs.Is(err, errs.NotFound) {
		err = errs.Forbiddenf("Only an admin of the organization that has published %s may do this.", found.Title)
	}
	return found, err
}

// SetTunnel turns development mode on with an address, and off with "": events go there instead of to the script, those
// of the owning organization, or with all those of every organization. It is for admins of the owner.
func (s *Service) SetTunnel(ctx context.Context, caller account.Caller, name, address string, all bool) error {
	found, err := s.Owned(ctx, caller, name)
	if err != nil {
		return err
	}
	if address != "" && !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		return errs.Invalidf("tunnelUrl", "%.100q is not an address; write one like https://example.org/", address)
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `UPDATE integration SET tunnel_url = $2, tunnel_all = $3 WHERE id = $1`, found.ID,
			address, all)
		if err != nil {
			return fmt.Errorf("set development mode: %w", err)
		}
		return s.record(ctx, q, entry(caller, found.Owner.ID, "integration.develop", found, map[string]any{
			"on": address != "", "all": all,
		}))
	})
}
