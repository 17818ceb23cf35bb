package audience

import (
	"encoding/json"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// MaxUnsigned bounds the unsigned claims of one visitor, in bytes of JSON.
const MaxUnsigned = 2048

// unsignedPrefix is how query parameters with unsigned claims begin.
const unsignedPrefix = "visitor."

// Visitor returns the claims as expressions see them, of a token that counts and of what was not signed: those that the
// schema names and whose values are as it says; the rest is left out, one by one. Objects that the schema names are
// always there, so that a condition on something in one that is missing fails. What is said of members counts in a
// member's token alone, whatever another one and the visitor say. The result is made for the caller.
func (s *Schema) Visitor(token Token, unsigned map[string]any) map[string]any {
	signed := token.Claims
	if token.Member == "" {
		signed = without(signed, memberClaim)
	}
	return s.visitor(signed, without(unsigned, memberClaim))
}

// Assumed returns the claims of a visitor who is made up, by somebody who may read all that the site shows and looks at
// what such a one would see: here they may be a member as well.
func (s *Schema) Assumed(signed, unsigned map[string]any) map[string]any {
	return s.visitor(signed, unsigned)
}

// without returns claims without one of them; the given ones stay as they are.
func without(claims map[string]any, name string) map[string]any {
	if _, there := claims[name]; !there {
		return claims
	}
	left := maps.Clone(claims)
	delete(left, name)
	return left
}

func (s *Schema) visitor(signed, unsigned map[string]any) map[string]any {
	claims := map[string]any{}
	own := map[string]any{}
	if s != nil {
		accept(claims, s.Signed.Claims, signed, s.signed)
		accept(own, s.Unsigned.Claims, unsigned, s.unsigned)
	}
	claims[unsignedName] = own
	return claims
}

// accept puts the claims that are as the schema says into another map.
func accept(into map[string]any, claims []Claim, given map[string]any, schemas map[string]*jsonschema.Schema) {
	for i := range claims {
		claim := &claims[i]
		value, there := given[claim.Name]
		if there && schemas[claim.Name].Validate(value) != nil {
			there = false
		}
		if claim.Kind == KindObject {
			object, _ := value.(map[string]any)
			if !there {
				object = nil
			}
			into[claim.Name] = complete(claim, object)
		} else if there {
			into[claim.Name] = value
		}
	}
}

// complete returns a copy of an object in which the objects that its claim names are there.
func complete(claim *Claim, given map[string]any) map[string]any {
	object := make(map[string]any, len(claim.Claims))
	for i := range claim.Claims {
		child := &claim.Claims[i]
		value, there := given[child.Name]
		if child.Kind == KindObject {
			inner, _ := value.(map[string]any)
			object[child.Name] = complete(child, inner)
		} else if there {
			object[child.Name] = value
		}
	}
	return object
}

// QueryClaims reads unsigned claims from the parameters of an address: visitor.plan=pro, visitor.org.size=12, and for a
// list the parameter several times. Texts become what the schema says. Found says that there was any such parameter;
// what the schema does not know is left out.
func (s *Schema) QueryClaims(query url.Values) (claims map[string]any, found bool) {
	claims = map[string]any{}
	for name, values := range query {
		path, ok := strings.CutPrefix(name, unsignedPrefix)
		if !ok {
			continue
		}
		found = true
		if s == nil || len(values) == 0 {
			continue
		}
		path = strings.TrimPrefix(strings.TrimPrefix(path, "claims."), unsignedName+".")
		claim, segments := &s.Unsigned, strings.Split(path, ".")
		into := claims
		for i, segment := range segments {
			if claim = claim.child(segment); claim == nil {
				break
			}
			if i == len(segments)-1 {
				if value, ok := claim.Read(values); ok {
					into[segment] = value
				}
				break
			}
			if claim.Kind != KindObject {
				break
			}
			next, _ := into[segment].(map[string]any)
			if next == nil {
				next = map[string]any{}
				into[segment] = next
			}
			into = next
		}
	}
	return claims, found
}

// Read makes a value of texts, as a form or an address has them; ok is false for texts that are none.
func (c *Claim) Read(values []string) (value any, ok bool) {
	text := values[len(values)-1]
	switch c.Kind {
	case KindBoolean:
		return text == "true", text == "true" || text == "false"
	case KindNumber:
		number, err := strconv.ParseFloat(text, 64)
		return number, err == nil && number-number == 0
	case KindText, KindChoice:
		return text, true
	case KindList:
		list := make([]any, 0, len(values))
		for _, each := range values {
			value, ok := c.Element.Read([]string{each})
			if !ok {
				return nil, false
			}
			list = append(list, value)
		}
		return list, true
	}
	return nil, false
}

// ReadUnsigned reads the value of a cookie with unsigned claims: a JSON object, percent-encoded. It returns nil for
// anything else.
func ReadUnsigned(cookie string) map[string]any {
	if len(cookie) > 3*MaxUnsigned {
		return nil
	}
	text, err := url.PathUnescape(cookie)
	if err != nil || len(text) > MaxUnsigned {
		return nil
	}
	var claims map[string]any
	if json.Unmarshal([]byte(text), &claims) != nil {
		return nil
	}
	return claims
}

// WriteUnsigned is the other way round; ok is false for claims that are too many for a cookie.
func WriteUnsigned(claims map[string]any) (cookie string, ok bool) {
	text, err := json.Marshal(claims)
	if err != nil || len(text) > MaxUnsigned {
		return "", false
	}
	return url.PathEscape(string(text)), true
}

// Merge returns the claims of both, those of over winning. Objects are merged, everything else is replaced.
func Merge(under, over map[string]any) map[string]any {
	merged := make(map[string]any, len(under)+len(over))
	maps.Copy(merged, under)
	for name, value := range over {
		inner, isObject := value.(map[string]any)
		before, wasObject := merged[name].(map[string]any)
		if isObject && wasObject {
			value = Merge(before, inner)
		}
		merged[name] = value
	}
	return merged
}
