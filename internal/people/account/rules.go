package account

import (
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
)

// Limits of the fields.
const (
	maxDisplayName = 64
	maxEmail       = 254 // RFC 5321 §4.5.3.1.3, less the angle brackets
	maxTokenName   = 100
	maxScopes      = 50
)

var scopePattern = regexp.MustCompile(`^[a-z][a-z-]{0,30}(:[a-z][a-z-]{0,30}){0,3}$`)

// checkEmail returns an address without the white space around it, and the key under which it is unique.
func checkEmail(path, email string) (address, key string, err error) {
	address, err = field.Text(path, email, 3, maxEmail)
	if err != nil {
		return "", "", err
	}
	parsed, err := mail.ParseAddress(address)
	// The parser also reads "Name <address>", comments and quoted local parts; its answer then differs from its input.
	if err != nil || parsed.Address != address {
		return "", "", errs.Invalidf(path, "is not an e-mail address; one like name@example.org is accepted")
	}
	return address, emailKey(address), nil
}

// emailKey folds an address so that spellings which differ in letter case or in Unicode composition meet.
func emailKey(address string) string {
	return strings.ToLower(norm.NFC.String(strings.TrimSpace(address)))
}

// searchKey is what lists of people are searched in: the name and the address, folded.
func searchKey(u User) string { return FoldSearch(u.DisplayName) + " " + emailKey(u.Email) }

// FoldSearch folds a text that people are searched by as the column search_key is folded.
func FoldSearch(text string) string { return strings.ToLower(norm.NFC.String(text)) }

func (n NewUser) check() (NewUser, error) {
	var err error
	if n.Email, _, err = checkEmail("email", n.Email); err != nil {
		return n, err
	}
	if n.DisplayName, err = field.Text("displayName", n.DisplayName, 1, maxDisplayName); err != nil {
		return n, err
	}
	if n.PhotoURL != "" {
		if n.PhotoURL, err = field.URL("photoURL", n.PhotoURL); err != nil {
			return n, err
		}
	}
	return n, nil
}

// check refuses what cannot be a token; known are the scopes that there are.
func (n NewToken) check(now time.Time, known []string) (NewToken, error) {
	var err error
	if n.Name, err = field.Text("name", n.Name, 1, maxTokenName); err != nil {
		return n, err
	}
	if len(n.Scopes) > maxScopes {
		return n, errs.Invalidf("scopes", "has %d scopes; up to %d are accepted", len(n.Scopes), maxScopes)
	}
	for _, scope := range n.Scopes {
		if !scopePattern.MatchString(scope) {
			return n, errs.Invalidf("scopes", "%.40q is not a scope; words like spaces:read are accepted", scope)
		}
		if !slices.Contains(known, scope) {
			return n, errs.Invalidf("scopes", "%s is not a scope of this server; there are %s", scope,
				strings.Join(known, ", "))
		}
	}
	n.Scopes = slices.Compact(slices.Sorted(slices.Values(n.Scopes)))
	if !n.ExpiresAt.IsZero() && !n.ExpiresAt.After(now) {
		return n, errs.Invalidf("expiresAt",
			"lies in the past; a time to come is accepted, or none for a token that does not expire")
	}
	return n, nil
}
