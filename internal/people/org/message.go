package org

import (
	"github.com/rectodocs/recto/internal/people/org/letter"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/mail"
)

func inviteMessage(o Organization, by account.User, baseURL, secret string) mail.Message {
	return letter.Letter{
		Subject: "Join " + o.Title + " on Recto",
		Lines: []string{by.DisplayName + " has invited you to " + o.Title +
			", where its documentation is written and read."},
		Button:  "Accept the invitation",
		Address: InviteAddress(baseURL, o.ID, secret),
		Last: "The link is for you alone and works for 14 days. If you did not expect it, leave it be: nothing " +
			"happens unless you accept.",
	}.Message()
}
