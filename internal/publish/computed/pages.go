package computed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// What readers see where a source has given nothing.
const (
	waiting = "This page is being made. Read it again in a moment."
	failed  = "This page cannot be shown right now."
	nothing = "There is nothing here yet."
)

// Pages returns what some computed pages of a space stand for, by their ids; nothing for those whose integration does
// not work on the space or has no such source. It waits for no script.
func (s *Service) Pages(ctx context.Context, spaceID id.Space,
	computed []*entity.Entry) (map[string]*spec.MadePages, error) {
	sources, err := s.deps.Integrations.SourcesIn(ctx, spaceID)
	if err != nil || len(sources) == 0 {
		return nil, err
	}
	organizationID, err := s.organizationOf(ctx, spaceID)
	if err != nil {
		return nil, err
	}
	rows, err := s.rowsOf(ctx, spaceID)
	if err != nil {
		return nil, err
	}
	pages := map[string]*spec.MadePages{}
	for _, entry := range computed {
		with, _ := find(sources, entry.Computed.Type)
		if with == nil {
			continue
		}
		want, err := newWanted(organizationID, spaceID, with.Installation, entry.Computed)
		if err != nil {
			return nil, err
		}
		made, err := s.made(ctx, with, entry.Computed, want, rows)
		if err != nil {
			return nil, err
		}
		pages[entry.ID] = made
	}
	return pages, nil
}

// find returns the integration and the source that a type names, nil when there are none.
func find(sources []integration.WithSources, name string) (*integration.WithSources, *integration.ContentSource) {
	rest, ok := strings.CutPrefix(name, entity.IntegrationSource)
	named, sourceID, both := strings.Cut(rest, ":")
	if !ok || !both {
		return nil, nil
	}
	for i := range sources {
		if !strings.EqualFold(sources[i].Name, named) {
			continue
		}
		for j := range sources[i].Sources {
			if sources[i].Sources[j].ID == sourceID {
				return &sources[i], &sources[i].Sources[j]
			}
		}
	}
	return nil, nil
}

func newWanted(organizationID id.Organization, spaceID id.Space, installation string,
	source *entity.Computed) (wanted, error) {
	encoded, err := json.Marshal(source) // the members of objects are sorted
	if err != nil {
		return wanted{}, fmt.Errorf("encode source: %w", err)
	}
	sum := sha256.Sum256(encoded)
	return wanted{organization: organizationID, space: spaceID, installation: installation,
		key: hex.EncodeToString(sum[:16]), source: string(encoded), from: spacesOf(source)}, nil
}

// spacesOf returns the spaces that the dependencies of a source name, each once.
func spacesOf(source *entity.Computed) []id.Space {
	var spaces []id.Space
	for _, value := range source.Dependencies {
		from, _ := value.(map[string]any)
		ref, _ := from["ref"].(map[string]any)
		named, _ := ref["space"].(string)
		if named != "" && !slices.Contains(spaces, id.Space(named)) {
			spaces = append(spaces, id.Space(named))
		}
	}
	return spaces
}

// made returns what is there for a computed page, and asks for what is missing or old.
func (s *Service) made(ctx context.Context, with *integration.WithSources, source *entity.Computed, want wanted,
	rows []row) (*spec.MadePages, error) {
	var r row
	for _, each := range rows {
		if each.installation == want.installation && each.key == want.key {
			r = each
		}
	}
	state, _, err := s.stateOf(ctx, with, want.organization, source)
	if err != nil {
		return nil, err
	}
	now := s.deps.Now()
	if r.id == "" || r.state != state || r.due <= now.UnixMicro() ||
		r.used < now.Add(-24*time.Hour).UnixMicro() {
		s.ask(want)
	}
	switch {
	case r.has:
		one, err := s.read(ctx, r)
		if err != nil {
			return nil, err
		}
		if len(one.pages) > 0 {
			return &spec.MadePages{Version: r.id + "." + one.hash, At: time.UnixMicro(r.changed), Pages: one.pages}, nil
		}
		return message(r, nothing), nil
	case r.problem != "":
		return message(r, failed), nil
	}
	return message(r, waiting), nil
}

// message is what a computed page with a title says while it has no pages. One without shows nothing.
func message(r row, text string) *spec.MadePages {
	at := time.UnixMicro(r.changed)
	return &spec.MadePages{Version: "message " + text, At: at, Top: &spec.Made{Type: entity.PageDocument,
		Nodes: paragraph(text)}}
}

func paragraph(text string) []*doc.Node { return []*doc.Node{doc.NewParagraph(doc.NewText(text))} }

// stateOf identifies what a result is made from, and returns the dependencies as a script gets them.
func (s *Service) stateOf(ctx context.Context, with *integration.WithSources, organizationID id.Organization,
	source *entity.Computed) (string, map[string]any, error) {
	resolved := map[string]any{}
	for name, value := range source.Dependencies {
		from, _ := value.(map[string]any)
		ref, _ := from["ref"].(map[string]any)
		if ref == nil {
			continue
		}
		found, err := s.resolve(ctx, with, organizationID, ref)
		if err != nil {
			return "", nil, err
		}
		dependency := map[string]any{"ref": ref}
		if found != nil {
			dependency["value"] = found
		}
		resolved[name] = dependency
	}
	encoded, err := json.Marshal(resolved)
	if err != nil {
		return "", nil, fmt.Errorf("encode dependencies: %w", err)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s", with.State, encoded))
	return hex.EncodeToString(sum[:12]), resolved, nil
}

// resolve returns what a dependency is now, nil for what is not there or not for the integration: spaces alone that it
// works on, and specifications of the organization.
func (s *Service) resolve(ctx context.Context, with *integration.WithSources, organizationID id.Organization,
	ref map[string]any) (map[string]any, error) {
	if name, _ := ref["spec"].(string); ref["kind"] == string(doc.RefOpenAPI) && name != "" {
		found, ok, err := s.deps.Specs.Lookup(ctx, organizationID, name)
		if err != nil || !ok {
			return nil, err
		}
		value := map[string]any{"object": "openapi-spec", "id": found.ID, "slug": found.Slug}
		if found.LastVersion != "" {
			value["lastVersion"] = found.LastVersion
		}
		return value, nil
	}
	spaceID, _ := ref["space"].(string)
	if ref["kind"] != string(doc.RefSpace) || !id.Valid("space", spaceID) {
		return nil, nil
	}
	sources, err := s.deps.Integrations.SourcesIn(ctx, id.Space(spaceID))
	if err != nil {
		return nil, err
	}
	for _, each := range sources {
		if each.Installation != with.Installation {
			continue
		}
		heads, err := s.deps.Content.Heads(ctx, []id.Space{id.Space(spaceID)})
		if head := heads[id.Space(spaceID)]; err == nil && head != "" {
			return map[string]any{"object": "space", "id": spaceID, "revision": head}, nil
		}
		return nil, err
	}
	return nil, nil
}

// read is a result as pages.
type read struct {
	pages []*spec.Made
	hash  string
	size  int
}

// read returns the pages of a result.
func (s *Service) read(ctx context.Context, r row) (*read, error) {
	return s.kept.Load(ctx, fmt.Sprintf("%s %d", r.id, r.changed), func(ctx context.Context) (*read, error) {
		encoded, err := s.pagesOf(ctx, r.id)
		if err != nil || encoded == "" {
			return &read{}, err
		}
		var pages []*keptPage
		if err := json.Unmarshal([]byte(encoded), &pages); err != nil {
			return nil, fmt.Errorf("decode computed pages: %w", err)
		}
		one := &read{size: 4 * len(encoded)}
		sum := sha256.Sum256([]byte(encoded))
		one.hash = hex.EncodeToString(sum[:8])
		for _, page := range pages {
			one.pages = append(one.pages, page.made())
		}
		return one, nil
	})
}
