package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// scheduleLinks registers the periodic work on links.
func (a *App) scheduleLinks() {
	if a.config.CheckExternalLinks {
		a.every("link.check", 15*time.Minute, func(ctx context.Context) error {
			report, err := a.links.CheckExternal(ctx)
			if report.Asked > 0 {
				a.log.InfoContext(ctx, "checked external links", slog.Int("asked", report.Asked),
					slog.Int("failing", report.Failing))
			}
			return err
		})
	}
	a.every("link.collect", 6*time.Hour, func(ctx context.Context) error {
		if _, _, err := a.links.Collect(ctx); err != nil {
			return err
		}
		return a.db.TruncateLog(ctx)
	})
}

// linkTargetExists says whether an organization has what a link names, for links that leave their space.
func (a *App) linkTargetExists(ctx context.Context, organizationID id.Organization, ref doc.Ref) (bool, error) {
	switch ref.Kind {
	case doc.RefSpace:
		return a.spaces.Exists(ctx, organizationID, id.Space(ref.Space))
	case doc.RefCollection:
		return a.spaces.CollectionExists(ctx, organizationID, id.Collection(ref.Collection))
	case doc.RefOpenAPI:
		return a.specs.Exists(ctx, organizationID, ref.Spec)
	case doc.RefUser:
		_, err := a.organizations.Membership(ctx, organizationID, id.User(ref.User))
		if errs.Is(err, errs.NotFound) {
			return false, nil
		}
		return err == nil, err
	}
	return true, nil
}
