package app

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"

	"github.com/rectodocs/recto/docs/manual"
	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/config"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/importer"
	"github.com/rectodocs/recto/internal/org"
	"github.com/rectodocs/recto/internal/paging"
	"github.com/rectodocs/recto/internal/site"
	"github.com/rectodocs/recto/internal/space"
	"github.com/rectodocs/recto/internal/web"
)

// The demo's own names. A database that holds anything else is somebody's work and is left alone.
const (
	demoEmail = "demo@example.com"
	demoTitle = "Recto"
)

// Demo makes an organization, a space with the product's manual and a published site, prints their addresses, and
// serves them until ctx ends. On the data of an earlier demo it brings the manual up to date. once leaves out serving.
func Demo(ctx context.Context, settings config.Serve, version string, once bool, stdout io.Writer, log *slog.Logger) error {
	made, err := Init(ctx, settings.Storage, org.Setup{Title: demoTitle, Email: demoEmail, Name: "Demo"}, log)
	if err != nil && !errs.Is(err, errs.Conflict) {
		return err
	}
	a, err := New(ctx, settings, version, log)
	if err != nil {
		return err
	}
	err = a.demo(ctx, made, stdout)
	if err == nil && !once {
		err = a.listenAndRun(ctx, version)
	}
	return errors.Join(err, a.Close())
}

// demo makes what is missing and prints the addresses. made has a secret when the organization is new.
func (a *App) demo(ctx context.Context, made org.Access, stdout io.Writer) error {
	user, err := a.accounts.UserByEmail(ctx, demoEmail)
	if errs.Is(err, errs.NotFound) {
		return errs.Conflictf("The data in %s is not a demo's. Give another folder with --data.", a.config.Data)
	}
	if err != nil {
		return err
	}
	caller := account.Caller{User: user}
	memberships, _, _, err := a.organizations.ListForUser(ctx, caller, paging.Request{Limit: 1})
	if err != nil {
		return err
	}
	if len(memberships) == 0 {
		return errs.Conflictf("The demo's user has no organization any more. Give another folder with --data.")
	}
	organization := memberships[0].Organization.ID
	manualSpace, err := a.demoSpace(ctx, caller, organization)
	if err != nil {
		return err
	}
	if err := a.importManual(ctx, caller, manualSpace); err != nil {
		return err
	}
	published, err := a.demoSite(ctx, caller, organization, manualSpace)
	if err != nil {
		return err
	}
	// Whoever starts the program may do everything with its data anyway.
	link, err := a.accounts.CreatePasswordLink(ctx, user)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "Site:    %s\nSign in: %s (it works once)\nAPI:     %s/v1/docs\nSpace:   %s\n",
		published, web.PasswordLinkAddress(a.config.Base(), link.Secret), a.config.Base(), manualSpace)
	if made.Secret != "" {
		fmt.Fprintf(stdout, "Token:   %s (an admin's; it is shown this once)\n", made.Secret)
	}
	return nil
}

// demoSpace returns the first space of the organization, making it when there is none.
func (a *App) demoSpace(ctx context.Context, caller account.Caller, organization string) (string, error) {
	spaces, _, _, err := a.spaces.List(ctx, caller, organization, paging.Request{Limit: 1})
	if err != nil {
		return "", err
	}
	if len(spaces) > 0 {
		return spaces[0].ID, nil
	}
	made, err := a.spaces.Create(ctx, caller, organization, space.NewSpace{Title: "Recto Manual"})
	return made.ID, err
}

// demoSite returns the address of the published site, making and publishing it when it is not there.
func (a *App) demoSite(ctx context.Context, caller account.Caller, organization, manualSpace string) (string, error) {
	sites, _, _, err := a.sites.List(ctx, caller, organization, site.Filter{Space: manualSpace}, paging.Request{Limit: 1})
	if err != nil {
		return "", err
	}
	if len(sites) == 0 {
		made, err := a.sites.Create(ctx, caller, organization, site.NewSite{Title: "Recto Manual", Visibility: site.VisibilityPublic, Spaces: []string{manualSpace}})
		if err != nil {
			return "", err
		}
		sites = append(sites, made)
	}
	published, err := a.sites.Publish(ctx, caller, organization, sites[0].ID)
	return published.PublishedURL, err
}

// importManual imports the embedded manual the way a user would import a ZIP of their docs.
func (a *App) importManual(ctx context.Context, caller account.Caller, manualSpace string) error {
	archive, err := zipManual()
	if err != nil {
		return err
	}
	result, err := a.imports.Import(ctx, caller, importer.Request{
		Space: manualSpace, Source: importer.SourceZIP, Name: "manual.zip", Upload: bytes.NewReader(archive),
	}, nil)
	if err != nil {
		return fmt.Errorf("import the manual: %w", err)
	}
	for _, note := range result.Report.Broken.Items {
		a.log.WarnContext(ctx, "the manual has a broken link", slog.String("place", note.Place), slog.String("target", note.Target))
	}
	return nil
}

func zipManual() ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	err := fs.WalkDir(manual.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := manual.Files.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := archive.Create(name)
		if err != nil {
			return err
		}
		_, err = file.Write(content)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("pack the manual: %w", err)
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("pack the manual: %w", err)
	}
	return out.Bytes(), nil
}
