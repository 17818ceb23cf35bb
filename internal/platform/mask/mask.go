// Package mask takes secrets out of texts that people read later: log lines, errors of jobs, entries of the audit log.
// A secret is known by its form, so that no caller has to think of it: a new kind of secret gets a prefix that is one
// of these forms, or a form of its own here.
package mask

import (
	"regexp"
	"strings"
)

// Hidden stands in the place of a secret.
const Hidden = "…"

// secret has the forms of secrets. What comes before a secret and stays is in the groups that are named keep.
var secret = regexp.MustCompile(strings.Join([]string{
	// Tokens, sessions and one-time links: rct_, rcs_, rcl_. The prefix stays, so that one sees what was there.
	`\b(?P<keep>rc[a-z]_)[A-Za-z0-9]{8,}`,
	// Invites and invite links; their ids are shorter.
	`\b(?P<keep>invite_)[a-z0-9]{27,}`,
	// JSON Web Tokens.
	`\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?`,
	// Tickets of httpx: who, until when, signature.
	`\b[A-Za-z0-9_]+\.[0-9]{9,11}\.[A-Za-z0-9_-]{43}`,
	// Secrets of share links, alone in a segment of a path.
	`\b[a-z2-7]{32}\b`,
	// Random texts of crypto/rand: tickets of a sign-in, proofs of a host name; and emergency codes.
	`\b[A-Z2-7]{26}\b`, `\b(?:[A-Z2-7]{5}-){4}[A-Z2-7]{5}\b`,
	// What a member looks at a site as: claims of a visitor.
	`(?P<keep>~/visitor/)[^/\s"?]+`,
	// Headers, should one get into a text.
	`(?i)(?P<keep>\b(?:bearer|basic) )[A-Za-z0-9._~+/=-]{8,}`,
	// Parameters that carry secrets.
	`(?i)(?P<keep>\b(?:jwt_token|token|signature|x-amz-signature|x-amz-credential|x-amz-security-token|ticket|secret|client_secret|password|code|samlresponse|samlrequest|relaystate|state|sharekey)=)[^&\s"'#]+`,
}, "|"))

// address is one with more than scheme, host and path.
var address = regexp.MustCompile(`(\b[a-z][a-z0-9+.-]{1,20}://)([^\s"'<>]*)`)

// Secrets returns a text with everything that has the form of a secret hidden.
func Secrets(text string) string {
	if !mayHold(text) {
		return text
	}
	return secret.ReplaceAllStringFunc(text, func(found string) string {
		match := secret.FindStringSubmatch(found)
		for i, name := range secret.SubexpNames() {
			if name == "keep" && match[i] != "" {
				return match[i] + Hidden
			}
		}
		return Hidden
	})
}

// Text is Secrets that hides user names, passwords and queries of addresses as well: nobody knows what those of others
// mean.
func Text(text string) string {
	if !strings.Contains(text, "://") {
		return Secrets(text)
	}
	return Secrets(address.ReplaceAllStringFunc(text, func(found string) string {
		scheme, rest, _ := strings.Cut(found, "://")
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
			rest = Hidden + rest[at:]
		}
		if before, _, ok := strings.Cut(rest, "?"); ok {
			rest = before + "?" + Hidden
		}
		return scheme + "://" + rest
	}))
}

// signs are texts one of which stands in some forms of secrets.
var signs = []string{"invite_", "eyJ", "~/visitor/", "=", "earer ", "EARER ", "asic ", "ASIC "}

// mayHold reports whether a text can hold a secret at all. It saves most lines of the log the expression, which costs
// as much as a page from memory.
func mayHold(text string) bool {
	for _, sign := range signs {
		if strings.Contains(text, sign) {
			return true
		}
	}
	var run, capitals, digits int // lengths of what goes on: letters and digits; of these capitals and digits; digits
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			run, capitals, digits = run+1, capitals+1, digits+1
		case c >= 'A' && c <= 'Z':
			run, capitals, digits = run+1, capitals+1, 0
		case c >= 'a' && c <= 'z':
			run, capitals, digits = run+1, 0, 0
		case c == '_' && run >= 3 && text[i-3:i-1] == "rc", c == '-' && capitals >= 5, c == '.' && digits >= 9:
			return true
		default:
			run, capitals, digits = 0, 0, 0
		}
		if run >= 32 || capitals >= 26 {
			return true
		}
	}
	return false
}
