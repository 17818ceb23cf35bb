package app_test

import (
	"strings"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// withEmailInvite makes the sample of an invite one by e-mail.
func withEmailInvite(s *apptest.Server, samples map[string]string) {
	samples["inviteId"] = s.Invite(s.Organization, s.Token, strings.ToLower("invited-"+samples["spaceId"])+
		"@example.net").ID
}
