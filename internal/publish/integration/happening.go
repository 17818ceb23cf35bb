package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/script"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Hooks is what a Service asks of later packages.
type Hooks struct {
	// Tell lets the script of an integration know what has happened, in the transaction in which it happens: the event
	// is delivered later, or not at all if the transaction is undone.
	Tell func(ctx context.Context, q db.Querier, what Happening) error
	// Compiled takes the program of a script that was published, by the hash of its bytes, so that the first call need
	// not compile it again.
	Compiled func(hash string, runtime Runtime, program *script.Program)
	// Changed is called in the transaction that changes an integration, or where it is installed or how it is
	// configured there.
	Changed func(ctx context.Context, q db.Querier, name string) error `optional:"nobody is told"`
}

// SetHooks gives the service what it asks of later packages.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// Happening is an event for the script of one installation.
type Happening struct {
	Integration id.Integration
	Version     int64
	// Organization is that of the installation.
	Organization id.Organization
	// Installation is whose events are delivered one after the other. It may be gone by then, see Level.
	Installation string
	// Level is what the environment of the call has: what is left when the event is delivered.
	Level Level
	// Event has the type and the fields. Before is what was configured before, which is kept sealed: the script finds
	// it as previous.configuration.
	Event  map[string]any
	Before Values
}

// TellSpace tells the installations that work on a space what has happened to it, if their manifests have the scope. It
// belongs to the transaction of what has happened. event is asked for only when somebody listens.
func (s *Service) TellSpace(ctx context.Context, q db.Querier, spaceID id.Space, scope Scope,
	event func() (map[string]any, error)) error {
	listening, err := listeners(ctx, q, OnSpaces, string(spaceID), scope)
	if err != nil || len(listening) == 0 {
		return err
	}
	made, err := event()
	if err != nil {
		return err
	}
	made = maps.Clone(made)
	made["spaceId"] = spaceID
	return s.tellAll(ctx, q, listening, made)
}

// TellPage is TellSpace for what has happened to a page of a space on a site: installations on the site are told, and
// those that are not there but on the space.
func (s *Service) TellPage(ctx context.Context, q db.Querier, siteID id.Site, spaceID id.Space, scope Scope,
	event map[string]any) error {
	listening, err := listeners(ctx, q, OnSites, string(siteID), scope)
	if err != nil {
		return err
	}
	beside, err := listeners(ctx, q, OnSpaces, string(spaceID), scope)
	if err != nil {
		return err
	}
	for _, one := range beside {
		same := func(other Happening) bool { return other.Installation == one.Installation }
		if !slices.ContainsFunc(listening, same) {
			listening = append(listening, one)
		}
	}
	event = maps.Clone(event)
	event["siteId"], event["spaceId"] = siteID, spaceID
	return s.tellAll(ctx, q, listening, event)
}

func (s *Service) tellAll(ctx context.Context, q db.Querier, listening []Happening, event map[string]any) error {
	for _, one := range listening {
		one.Event = maps.Clone(event)
		one.Event["installationId"] = one.Installation
		if err := s.hooks.Get().Tell(ctx, q, one); err != nil {
			return fmt.Errorf("tell installation %s: %w", one.Installation, err)
		}
	}
	return nil
}

// listeners returns the installations that take content in and whose manifests have a scope, by their id. Whether they
// are configured is looked at when an event is delivered.
func listeners(ctx context.Context, q db.Querier, kind Kind, contentID string, scope Scope) ([]Happening, error) {
	level := Level{Space: id.Space(contentID)}
	if kind == OnSites {
		level = Level{Site: id.Site(contentID)}
	}
	// The names of kinds are those of tables and columns.
	name := string(kind)
	return db.All(ctx, q, "look for who listens", func(row db.Scanner) (Happening, error) {
		one := Happening{Level: level}
		err := row.Scan(&one.Integration, &one.Version, &one.Organization, &one.Installation)
		one.Level.Installation = one.Installation
		return one, err
	}, `
		SELECT i.id, i.version, n.organization_id, n.id
		FROM integration_installation n JOIN integration i ON i.id = n.integration_id
		WHERE n.organization_id = (SELECT s.organization_id FROM `+name+` s WHERE s.id = $1) AND n.parent_id IS NULL
			AND i.published AND i.target IN ('all', '`+name+`')
			AND (i.visibility <> 'private' OR i.organization_id = n.organization_id)
			AND EXISTS (SELECT 1 FROM integration_label l WHERE l.integration_id = i.id AND l.kind = 'scope'
				AND l.value = $2)
			AND (n.`+name+`_selection = 'all' OR EXISTS (SELECT 1 FROM integration_installation c
				WHERE c.parent_id = n.id AND c.`+name+`_id = $1))
		ORDER BY n.id`, contentID, string(scope))
}

// happening is what an organization's installation is told: its environment has the installation.
func (r root) happening(event map[string]any) Happening {
	event["installationId"] = r.id
	return Happening{Integration: r.integrationID, Version: r.version, Organization: r.organization, Installation: r.id,
		Level: Level{Installation: r.id}, Event: event}
}

// state is what an event on an installation says of it.
type state struct {
	status Status
	values Values
}

// same reports whether an installation is configured as before, and works as before.
func (s state) same(other state) (bool, error) {
	one, err := json.Marshal(s.values)
	if err != nil {
		return false, fmt.Errorf("encode configuration: %w", err)
	}
	two, err := json.Marshal(other.values)
	if err != nil {
		return false, fmt.Errorf("encode configuration: %w", err)
	}
	return s.status == other.status && string(one) == string(two), nil
}

// tellSetup tells a script that it was installed, or configured in another way than before.
func (s *Service) tellSetup(ctx context.Context, q db.Querier, r root, on *ContentInstallation, kind Kind,
	before *state, now state) error {
	if before != nil {
		same, err := now.same(*before)
		if same || err != nil {
			return err
		}
	}
	what := r.happening(map[string]any{"type": "installation_setup", "status": now.status})
	if on != nil {
		what.at(kind, on.Content, "_installation_setup")
	}
	if before != nil {
		what.Event["previous"] = map[string]any{"status": before.status}
		what.Before = before.values
	}
	return s.hooks.Get().Tell(ctx, q, what)
}

// at makes it an event on a space or site, in whose environment it is handled.
func (h *Happening) at(kind Kind, contentID, suffix string) {
	h.Event["type"], h.Event[string(kind)+"Id"] = string(kind)+suffix, contentID
	if kind == OnSpaces {
		h.Level.Space = id.Space(contentID)
	} else {
		h.Level.Site = id.Site(contentID)
	}
}

// tellRemovedFrom tells a script that it is not installed on a space or site any more. The environment has the
// organization's installation, or if all of it goes the integration alone.
func (s *Service) tellRemovedFrom(ctx context.Context, q db.Querier, r root, kind Kind, contentID string, below row,
	all bool) error {
	values, err := s.values(below)
	if err != nil {
		return err
	}
	what := r.happening(map[string]any{"previous": map[string]any{}})
	what.at(kind, contentID, "_installation_deleted")
	what.Level.Space, what.Level.Site, what.Before = "", "", r.description(kind).withDefaults(values)
	if all {
		what.Level = Level{}
	}
	return s.hooks.Get().Tell(ctx, q, what)
}

// rowsBelow are the installations on spaces and sites of one of an organization.
func rowsBelow(ctx context.Context, q db.Querier, r root) ([]row, error) {
	return db.All(ctx, q, "list what an installation is on", func(from db.Scanner) (row, error) {
		var one row
		if err := from.Scan(one.fields()...); err != nil {
			return row{}, err
		}
		return one, one.read()
	}, `SELECT `+rowColumns+` FROM integration_installation n WHERE n.parent_id = $1 ORDER BY n.id`, r.id)
}

// on is the content that a row is of.
func (r row) on() (kind Kind, contentID string) {
	if r.site != "" {
		return OnSites, string(r.site)
	}
	return OnSpaces, string(r.space)
}

// onePlace is a space or site that an installation takes in, with what is kept for it.
type onePlace struct {
	kind    Kind
	content string
	row     row
	// kept says that it has a row; one that is taken in because all are has none before it is configured.
	kept bool
}

// places are all spaces and sites that an organization's installation takes in.
func (s *Service) places(ctx context.Context, q db.Querier, r root) ([]onePlace, error) {
	rows, err := rowsBelow(ctx, q, r)
	if err != nil {
		return nil, err
	}
	all := make([]onePlace, 0, len(rows))
	for _, each := range rows {
		kind, contentID := each.on()
		all = append(all, onePlace{kind, contentID, each, true})
	}
	for _, kind := range []Kind{OnSpaces, OnSites} {
		if !r.takesAll(kind) {
			continue
		}
		without, err := keptNothing(ctx, q, r, kind)
		if err != nil {
			return nil, err
		}
		for _, contentID := range without {
			all = append(all, onePlace{kind, contentID, r.below(kind, contentID, s.clock()), false})
		}
	}
	return all, nil
}

// takesAll reports whether an installation takes in all spaces or sites of its organization.
func (r root) takesAll(kind Kind) bool { return r.selection(kind) == SelectAll && r.fits(kind) }

// tellBelow tells a script of the spaces and sites that an installation takes in now, or does not any more, and of
// those on which it begins or ceases to work because that of the organization does.
func (s *Service) tellBelow(ctx context.Context, q db.Querier, before, now root) error {
	every := now
	for kind, into := range map[Kind]*Selection{OnSpaces: &every.spaceSelection, OnSites: &every.siteSelection} {
		if before.takesAll(kind) {
			*into = SelectAll
		}
	}
	places, err := s.places(ctx, q, every)
	if err != nil {
		return err
	}
	for _, each := range places {
		wasIn, isIn := each.kept || before.takesAll(each.kind), each.kept || now.takesAll(each.kind)
		if !isIn {
			if err := s.tellRemovedFrom(ctx, q, now, each.kind, each.content, each.row, false); err != nil {
				return err
			}
			continue
		}
		is, err := s.onContent(now, each.kind, each.content, each.row)
		if err != nil {
			return err
		}
		var earlier *state
		if wasIn {
			was, err := s.onContent(before, each.kind, each.content, each.row)
			if err != nil {
				return err
			}
			state := was.state()
			earlier = &state
		}
		if err := s.tellSetup(ctx, q, now, &is, each.kind, earlier, is.state()); err != nil {
			return err
		}
	}
	return nil
}

// tellRemoved tells a script that an organization has removed it from all spaces and sites, and itself.
func (s *Service) tellRemoved(ctx context.Context, q db.Querier, r root) error {
	places, err := s.places(ctx, q, r)
	if err != nil {
		return err
	}
	for _, each := range places {
		if err := s.tellRemovedFrom(ctx, q, r, each.kind, each.content, each.row, true); err != nil {
			return err
		}
	}
	values, err := s.values(r.row)
	if err != nil {
		return err
	}
	what := r.happening(map[string]any{"type": "installation_deleted", "previous": map[string]any{}})
	what.Level, what.Before = Level{}, r.configurations.Account.withDefaults(values)
	return s.hooks.Get().Tell(ctx, q, what)
}
