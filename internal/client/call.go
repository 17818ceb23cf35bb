package client

import (
	"context"
	"io"
	"net/http"
	"strings"
	"unicode"
)

// Call sends a request to a path of the API and returns the successful answer, whose body the caller closes. A refusal
// is an *Error with the server's words.
func (c *Client) Call(ctx context.Context, method, path, contentType string, body io.Reader) (*http.Response, error) {
	return c.send(ctx, method, path, contentType, body, nil)
}

// User is a person of a server.
type User struct {
	ID          string `json:"id"`
	DisplayName string `json:"displayName"`
	Email       string `json:"email,omitempty"`
}

// String returns the name and the address on one line, without what would steer a terminal.
func (u User) String() string {
	text := u.DisplayName
	if u.Email != "" {
		text += " <" + u.Email + ">"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// Me returns whom the token stands for.
func (c *Client) Me(ctx context.Context) (User, error) {
	var user User
	err := c.do(ctx, http.MethodGet, "/v1/user", "", nil, nil, &user)
	return user, err
}
