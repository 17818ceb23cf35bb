package wire

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
)

// User is a person.
type User struct {
	Object      string   `json:"object" enum:"user"`
	ID          id.User  `json:"id"`
	DisplayName string   `json:"displayName"`
	Email       string   `json:"email,omitempty" format:"email"`
	PhotoURL    string   `json:"photoURL,omitempty" format:"uri"`
	URLs        UserURLs `json:"urls"`
}

// UserURLs are a user's addresses.
type UserURLs struct {
	Location string `json:"location" format:"uri"`
}

// User turns a person into their wire form.
func (w Writer) User(user account.User) User {
	return User{
		Object: "user", ID: user.ID, DisplayName: user.DisplayName, Email: user.Email, PhotoURL: user.PhotoURL,
		URLs: UserURLs{Location: w.BaseURL + "/v1/users/" + string(user.ID)},
	}
}

// ByID reads users; ids may repeat and be empty.
func (r UserReader) ByID(ctx context.Context, ids []id.User) (map[id.User]account.User, error) {
	wanted := make([]id.User, 0, len(ids))
	seen := map[id.User]bool{"": true}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			wanted = append(wanted, id)
		}
	}
	users, err := r.Accounts.UsersByIDs(ctx, wanted)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	return users, nil
}

// KnownUser is the wire form of a user of a map; of one who is gone, as Writer.Author has it.
func (w Writer) KnownUser(users map[id.User]account.User, id id.User) User {
	return w.Author(users[id])
}

// Author is Writer.User for somebody whose account may be gone.
func (w Writer) Author(user account.User) User {
	if user.ID == "" {
		user = account.User{ID: "deleted", DisplayName: "Deleted user"}
	}
	return w.User(user)
}
