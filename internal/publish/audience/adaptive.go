package audience

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// AdaptiveSchema is the schema of a site with the time of its last change.
type AdaptiveSchema struct {
	JSON      json.RawMessage
	UpdatedAt time.Time
}

// TemplateCondition is a condition that authors can take as it is.
type TemplateCondition struct {
	Description string
	Condition   string
}

// AdaptiveSchema returns the schema of a site; errs.NotFound when it has none.
func (s *Service) AdaptiveSchema(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (AdaptiveSchema, error) {
	q := s.deps.DB.Read()
	if _, err := s.deps.Sites.Seen(ctx, q, caller, organizationID, siteID); err != nil {
		return AdaptiveSchema{}, err
	}
	row, err := schemaOf(ctx, q, siteID)
	if errors.Is(err, db.ErrNoRows) {
		return AdaptiveSchema{}, errs.NotFoundf("This site has no adaptive schema; put one first.")
	}
	if err != nil {
		return AdaptiveSchema{}, err
	}
	return AdaptiveSchema{JSON: json.RawMessage(row.text), UpdatedAt: time.UnixMicro(row.updatedAt).UTC()}, nil
}

// PutAdaptiveSchema gives a site a schema, in place of the one that it had. It needs the right to administer the site.
func (s *Service) PutAdaptiveSchema(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, jsonSchema []byte) (AdaptiveSchema, error) {
	var put AdaptiveSchema
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		of, err := s.deps.Sites.Managed(ctx, q, caller, organizationID, siteID, access.ChangeVisitorSchema)
		if err != nil {
			return err
		}
		schema, err := ParseSchema(jsonSchema)
		if err != nil {
			return err
		}
		if err := schema.checkMember(); err != nil {
			return err
		}
		now := s.clock()
		if err := putSchema(ctx, q, siteID, schemaRow{text: string(schema.JSON), updatedAt: now.UnixMicro(),
			members: schema.memberOf() != nil}); err != nil {
			return err
		}
		if err := s.deps.Sites.Touch(ctx, q, siteID); err != nil {
			return err
		}
		put = AdaptiveSchema{JSON: schema.JSON, UpdatedAt: now}
		return recordSite(ctx, q, caller, of, "site.adaptive-schema.update", nil)
	})
	if err != nil {
		return AdaptiveSchema{}, err
	}
	return put, nil
}

// TemplateConditions returns conditions made from the schema of a site, none when it has none: one for each boolean,
// one for each choice of a text, one for each choice in a list. Free texts and numbers make no condition.
func (s *Service) TemplateConditions(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) ([]TemplateCondition, error) {
	found, err := s.AdaptiveSchema(ctx, caller, organizationID, siteID)
	if errs.Is(err, errs.NotFound) {
		// No schema, or no site for this caller: the second is an error.
		if _, seen := s.deps.Sites.Seen(ctx, s.deps.DB.Read(), caller, organizationID, siteID); seen != nil {
			return nil, seen
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	schema, err := ParseSchema(found.JSON)
	if err != nil {
		return nil, err
	}
	return schema.TemplateConditions(), nil
}

// TemplateConditions are the conditions that a schema gives, signed claims first.
func (s *Schema) TemplateConditions() []TemplateCondition {
	var all []TemplateCondition
	add := func(claim *Claim, path, condition, says string) {
		if len(condition) > expr.MaxCondition {
			return
		}
		description := path + " " + says
		if claim.Description != "" {
			description = claim.Description + " (" + description + ")"
		}
		all = append(all, TemplateCondition{Description: description, Condition: condition})
	}
	var walk func(claims []Claim, path, written string)
	walk = func(claims []Claim, path, written string) {
		for i := range claims {
			claim := &claims[i]
			path, written := path+claim.Name, written+member(claim.Name)
			switch claim.Kind {
			case KindBoolean:
				add(claim, path, written+" === true", "is true")
			case KindChoice:
				for _, choice := range claim.Choices {
					add(claim, path, written+" === "+quoted(choice), "is "+quoted(choice))
				}
			case KindList:
				for _, choice := range claim.Element.Choices {
					add(claim, path, written+".includes("+quoted(choice)+")", "has "+quoted(choice))
				}
			case KindObject:
				walk(claim.Claims, path+".", written)
			}
		}
	}
	walk(s.Signed.Claims, "", "visitor.claims")
	walk(s.Unsigned.Claims, unsignedName+".", "visitor.claims."+unsignedName)
	return all
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// member is how an expression reads a claim of an object.
func member(name string) string {
	if plainName.MatchString(name) {
		return "." + name
	}
	return "[" + quoted(name) + "]"
}

// quoted is a text as an expression has it.
func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return `""` // a text always encodes
	}
	return strings.TrimSpace(b.String())
}
