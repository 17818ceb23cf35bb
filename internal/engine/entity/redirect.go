package entity

import (
	"crypto/sha256"
	"encoding/hex"
)

// redirectPrefix begins the ids of redirects.
const redirectPrefix = "redirect:"

// RedirectID returns the id of the redirect entry of a path below a parent page ("" is the root). Both branches of a
// merge that leave a redirect at one place have given it one id.
//
// There are two sorts. An explicit redirect has the parent "" and a whole path of several segments. An automatic
// one is left behind where a page was: its path is the one segment that was the page's slug, its parent the page
// that was the parent. A live page always beats a redirect at the same place.
func RedirectID(parent, path string) string {
	sum := sha256.Sum256([]byte(parent + "\x00" + path))
	return redirectPrefix + hex.EncodeToString(sum[:16])
}
