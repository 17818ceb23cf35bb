//go:build embedded

package mail

import "errors"

// This build sends no mail, see CONTRIBUTING.md.

// SMTP refuses every address.
func SMTP(string, string) (Sender, error) {
	return nil, errors.New("this build of Recto sends no mail; build it without the tag embedded (make build)")
}
