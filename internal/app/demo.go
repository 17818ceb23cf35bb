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
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/rectodocs/recto/docs/manual"
	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/web"
)

// The demo's own names. A database that holds anything else is somebody's work and is left alone.
const (
	demoEmail = "demo@example.com"
	demoTitle = "Recto"
	// manualTitle is that of the manual's space and site.
	manualTitle = "Recto Manual"
)

// DemoSource is what a demo shows instead of the manual.
type DemoSource struct {
	// Title is that of the space and the site. A space that has it already is brought up to date.
	Title string
	// Import fills a space of a server that answers at an address. The token is an admin's.
	Import func(ctx context.Context, server, token, space string) error
	// Next waits until the source has changed; nil when the demo does not follow it.
	Next func(ctx context.Context) error
}

// Demo makes an organization, a space with the product's manual or with source, which may be nil, and a published site,
// prints their addresses, and serves them until ctx ends. On the data of an earlier demo it brings the content up to
// date. once leaves out serving.
func Demo(ctx context.Context, settings config.Serve, version string, source *DemoSource, once bool, stdout io.Writer,
	log *slog.Logger) error {
	settings.Role = config.RoleAll // what is imported is read by a job
	made, err := Init(ctx, settings.Storage, org.Setup{Title: demoTitle, Email: demoEmail, Name: "Demo"}, log)
	if err != nil && !errs.Is(err, errs.Conflict) {
		return err
	}
	quiet := newQuietLog(log)
	a, err := New(ctx, settings, version, slog.New(quiet))
	if err != nil {
		return err
	}
	d := demo{App: a, quiet: quiet, secret: made.Secret, stdout: stdout, once: once}
	if source != nil && source.Next != nil {
		d.reloading = &reloading{next: a.handler}
		d.reloading.bump()
		a.handler = d.reloading
	}
	if err = d.find(ctx); err == nil {
		if source == nil {
			err = d.showManual(ctx, version, once)
		} else {
			err = d.show(ctx, version, *source, once)
		}
	}
	return errors.Join(err, a.Close())
}

// demo is a program with the data of a demo.
type demo struct {
	*App
	quiet        quietLog
	stdout       io.Writer
	secret       string // of the admin's token when the organization is new
	once         bool   // nothing is served afterwards
	caller       account.Caller
	organization id.Organization
	reloading    *reloading // nil for a demo that follows nothing
}

// find finds the demo's admin and organization.
func (d *demo) find(ctx context.Context) error {
	user, err := d.accounts.UserByEmail(ctx, demoEmail)
	if errs.Is(err, errs.NotFound) {
		return errs.Conflictf("The data in %s is not a demo's. Give another folder with --data.", d.config.Data)
	}
	if err != nil {
		return err
	}
	d.caller = account.Caller{User: user}
	memberships, err := d.organizations.ListForUser(ctx, d.caller, paging.Request{Limit: 1})
	if err != nil {
		return err
	}
	if len(memberships.Items) == 0 {
		return errs.Conflictf("The demo's user has no organization any more. Give another folder with --data.")
	}
	d.organization = memberships.Items[0].Organization.ID
	return nil
}

// showManual shows the product's manual.
func (d *demo) showManual(ctx context.Context, version string, once bool) error {
	manualSpace, err := d.space(ctx, manualTitle)
	if err != nil {
		return err
	}
	if err := d.importManual(ctx, d.caller, manualSpace); err != nil {
		return err
	}
	if err := d.publish(ctx, manualTitle, manualSpace); err != nil || once {
		return err
	}
	d.quiet.loud.Store(true)
	return d.listenAndRun(ctx, version)
}

// show shows something else, which is imported through the API like everything that people bring.
func (d *demo) show(ctx context.Context, version string, source DemoSource, once bool) error {
	listener, err := httpx.Listen(ctx, d.config.Listen)
	if err != nil {
		return err
	}
	// The server outlives ctx by what it takes to cancel an import.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- d.Run(running, listener) }()
	into, err := d.fill(ctx, localAddress(listener), source)
	if err == nil && !once {
		d.quiet.loud.Store(true)
		d.ready(ctx, listener, version)
		watching, end := context.WithCancel(ctx)
		var following sync.WaitGroup
		if source.Next != nil {
			following.Go(func() { d.follow(watching, localAddress(listener), source, into) })
		}
		select {
		case <-ctx.Done():
		case failure := <-ended:
			ended <- failure
		}
		end()
		following.Wait()
	}
	stop()
	return errors.Join(err, <-ended)
}

// fill imports a source into its space and publishes that.
func (d *demo) fill(ctx context.Context, server string, source DemoSource) (id.Space, error) {
	into, err := d.space(ctx, source.Title)
	if err == nil {
		err = d.bring(ctx, server, source, into)
	}
	if err != nil {
		return "", err
	}
	return into, d.publish(ctx, source.Title, into)
}

// bring imports a source into a space, with a token that ends with it.
func (d *demo) bring(ctx context.Context, server string, source DemoSource, into id.Space) error {
	secret, token, err := d.accounts.CreateTokenAs(ctx, d.caller, account.NewToken{Name: "recto demo",
		ExpiresAt: time.Now().Add(24 * time.Hour)})
	if err != nil {
		return err
	}
	err = source.Import(ctx, server, secret, string(into))
	return errors.Join(err, d.accounts.RevokeTokenAs(context.WithoutCancel(ctx), d.caller, token.ID))
}

// localAddress is how this machine reaches a listener.
func localAddress(listener net.Listener) string {
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if address, bad := netip.ParseAddr(host); err != nil || bad != nil || address.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// publish makes and publishes the site of a space when it is not there, and prints the addresses.
func (d *demo) publish(ctx context.Context, title string, shown id.Space) error {
	published, err := d.site(ctx, title, shown)
	if err != nil {
		return err
	}
	open, err := d.open(ctx, shown)
	if err != nil {
		return err
	}
	fmt.Fprintf(d.stdout, "Open:    %s (it signs you in, once)\nSite:    %s\nAPI:     %s/v1/docs\nSpace:   %s\n",
		open, published, d.config.Base(), shown)
	if d.secret != "" {
		fmt.Fprintf(d.stdout, "Token:   %s (an admin's; it is shown this once)\n", d.secret)
	}
	return nil
}

// open returns the address that signs in the demo's user and opens a space in the app. Whoever starts the program may
// do everything with its data anyway. A program that ends leaves a link that sets a password in place of it.
func (d *demo) open(ctx context.Context, shown id.Space) (string, error) {
	if !d.once {
		return d.pages.SessionLink(d.config.Base(), d.caller.User, "/app/spaces/"+string(shown)), nil
	}
	link, err := d.accounts.CreatePasswordLink(ctx, d.caller.User)
	return web.PasswordLinkAddress(d.config.Base(), link.Secret), err
}

// space returns the organization's space with a title, making it when there is none.
func (d *demo) space(ctx context.Context, title string) (id.Space, error) {
	for page := (paging.Request{Limit: paging.MaxLimit}); ; {
		spaces, err := d.spaces.List(ctx, d.caller, d.organization, page)
		if err != nil {
			return "", err
		}
		for _, each := range spaces.Items {
			if each.Title == title {
				return each.ID, nil
			}
		}
		if spaces.Next == nil {
			break
		}
		page.After = spaces.Next
	}
	made, err := d.spaces.Create(ctx, d.caller, d.organization, space.NewSpace{Title: title})
	return made.ID, err
}

// site returns the address of the published site of a space, making and publishing it when it is not there.
func (d *demo) site(ctx context.Context, title string, shown id.Space) (string, error) {
	sites, err := d.sites.List(ctx, d.caller, d.organization, site.Filter{Space: shown}, paging.Request{Limit: 1})
	if err != nil {
		return "", err
	}
	if len(sites.Items) == 0 {
		made, err := d.sites.Create(ctx, d.caller, d.organization,
			site.NewSite{Title: title, Visibility: site.VisibilityPublic, Spaces: []id.Space{shown}})
		if err != nil {
			return "", err
		}
		sites.Items = append(sites.Items, made)
	}
	published, err := d.sites.Publish(ctx, d.caller, d.organization, sites.Items[0].ID)
	return published.PublishedURL, err
}

// importManual imports the embedded manual the way a user would import a ZIP of their docs.
func (a *App) importManual(ctx context.Context, caller account.Caller, manualSpace id.Space) error {
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
		a.log.WarnContext(ctx, "the manual has a broken link", slog.String("place", note.Place),
			slog.String("target", note.Target))
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
