package audience

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
)

// InspectionPath is where members look at a site as a visitor, below its root. Behind it come the claims, as
// WriteAssumed writes them, and then the paths of the site.
const InspectionPath = "~/visitor/"

// maxAssumed bounds the claims in an address, in characters.
const maxAssumed = 3000

// ReadAssumed reads claims of an address; ok is false for what are none.
func ReadAssumed(encoded string) (claims map[string]any, ok bool) {
	if len(encoded) > maxAssumed {
		return nil, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return nil, false
	}
	return claims, json.Unmarshal(raw, &claims) == nil && claims != nil
}

// WriteAssumed writes claims as an address has them.
func WriteAssumed(claims map[string]any) (string, error) {
	text, err := json.Marshal(claims)
	if err != nil {
		return "", fmt.Errorf("encode claims: %w", err)
	}
	encoded := base64.RawURLEncoding.EncodeToString(text)
	if len(encoded) > maxAssumed {
		return "", errs.Invalidf("claims", "are %d characters long in an address; up to %d are accepted", len(encoded),
			maxAssumed)
	}
	return encoded, nil
}

// Assume returns the claims of a visitor who is made up, see Assumed: said are the signed ones, with the unsigned ones
// in the member of that name. One that the schema does not have, or whose value it does not accept, is an errs.Invalid.
func (s *Schema) Assume(said map[string]any) (map[string]any, error) {
	unsigned, ok := said[unsignedName].(map[string]any)
	if _, there := said[unsignedName]; there && !ok {
		return nil, errs.Invalidf("claims."+unsignedName, "has to be an object with the claims that nobody has signed")
	}
	assumed := s.Assumed(said, unsigned)
	return assumed, refused("claims", said, assumed)
}

// refused names the first claim that was given and is not there.
func refused(path string, given, there map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := path + "." + clip(name)
		value, ok := there[name]
		if !ok {
			return errs.Invalidf(at,
				"is not a claim of the site's schema, or its value is none that the schema accepts")
		}
		inner, isObject := given[name].(map[string]any)
		if kept, ok := value.(map[string]any); isObject && ok {
			if err := refused(at, inner, kept); err != nil {
				return err
			}
		}
	}
	return nil
}
