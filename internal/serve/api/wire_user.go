package api

import "github.com/rectodocs/recto/internal/people/account"

// User is a person.
type User struct {
	Object      string   `json:"object" enum:"user"`
	ID          string   `json:"id"`
	DisplayName string   `json:"displayName"`
	Email       string   `json:"email,omitempty" format:"email"`
	PhotoURL    string   `json:"photoURL,omitempty" format:"uri"`
	URLs        UserURLs `json:"urls"`
}

// UserURLs are a user's addresses.
type UserURLs struct {
	Location string `json:"location" format:"uri"`
}

func (a *API) wireUser(user account.User) User {
	return User{
		Object: "user", ID: user.ID, DisplayName: user.DisplayName, Email: user.Email, PhotoURL: user.PhotoURL,
		URLs: UserURLs{Location: a.BaseURL + "/v1/users/" + user.ID},
	}
}
