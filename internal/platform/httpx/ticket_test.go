package httpx_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/platform/httpx"
)

func TestTickets(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	tickets := httpx.Tickets{Key: []byte("0123456789abcdef"), Now: func() time.Time { return now }}
	ticket := tickets.Issue("user_1", "preview space_1", time.Hour)
	if user, until, ok := tickets.User(ticket, "preview space_1"); !ok || user != "user_1" ||
		!until.Equal(now.Add(time.Hour)) {
		t.Errorf("got %q, %s, %t", user, until, ok)
	}
	other := httpx.Tickets{Key: []byte("another key, 16b"), Now: tickets.Now}
	for name, got := range map[string]struct {
		tickets         httpx.Tickets
		ticket, purpose string
	}{
		"another purpose": {tickets, ticket, "preview space_2"},
		"another key":     {other, ticket, "preview space_1"},
		"another user":    {tickets, strings.Replace(ticket, "user_1", "user_2", 1), "preview space_1"},
		"a longer life":   {tickets, strings.Replace(ticket, ".18", ".28", 1), "preview space_1"},
		"cut":             {tickets, ticket[:len(ticket)-1], "preview space_1"},
		"empty":           {tickets, "", "preview space_1"},
		"no dots":         {tickets, "abc", "preview space_1"},
		"huge":            {tickets, strings.Repeat("a.", 10_000), "preview space_1"},
	} {
		if user, _, ok := got.tickets.User(got.ticket, got.purpose); ok {
			t.Errorf("%s: taken for %q", name, user)
		}
	}
	now = now.Add(time.Hour)
	if _, _, ok := tickets.User(ticket, "preview space_1"); ok {
		t.Error("a ticket is good after its end")
	}
}
