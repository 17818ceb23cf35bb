package download

import (
	"bytes"
	"context"
	"html"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// fileUser is a page of a space on the site that uses a file, perhaps only where a condition holds.
type fileUser struct {
	space id.Space
	page  string
}

// maxFilePages bounds how many pages are looked at for one file. A file that is hidden on so many is taken for hidden.
const maxFilePages = 200

// shows reports whether the visitor gets to see a file: one of the pages that they see shows it, or no page of the site
// uses it at all. What a page shows is the page itself, as it is kept for all for whom its conditions come out alike.
func (d *Downloads) shows(ctx context.Context, s *scope.Scope, file *entity.Entry) (bool, error) {
	if s.Preview != nil || !s.Adaptive && !s.Edition.Conditional() {
		return true, nil
	}
	users, err := d.usersOf(ctx, s, file)
	if err != nil || len(users) == 0 {
		return err == nil, err
	}
	address := []byte("~/files/" + html.EscapeString(url.PathEscape(file.ID)) + "/")
	looked := 0
	for _, space := range s.Served.Spaces {
		var in *scope.Scope
		for _, user := range users {
			if user.space != space.Space {
				continue
			}
			if in == nil {
				if in, err = s.In(ctx, space); err != nil || in == nil {
					return false, err
				}
			}
			node := in.Edition.Tree.ByID[user.page]
			if !in.Edition.Exists(node) || node.Entry.Type != entity.PageDocument {
				continue
			}
			if looked++; looked > maxFilePages {
				return false, nil
			}
			if has, err := d.has(ctx, in, node, address); has || err != nil {
				return has, err
			}
		}
	}
	// The site itself may use it, as a logo say.
	if s.Edition.Landing == nil {
		return false, nil
	}
	return d.has(ctx, s, s.Edition.Landing, address)
}

// has reports whether a text is in a page as the visitor gets it.
func (d *Downloads) has(ctx context.Context, s *scope.Scope, node *store.TreeNode, text []byte) (bool, error) {
	ctx = context.WithoutCancel(ctx) // others may wait for the same page
	in := *s
	made, err := in.Once(s.PagePath(node), func() (*response.Response, error) {
		return d.deps.Pages.RenderPage(ctx, &in, node)
	})
	if err != nil {
		return false, err
	}
	return bytes.Contains(made.Body(), text), nil
}

// usersOf finds the pages of the site that use a file of the scope's space, by themselves or by what they include. It
// is kept for as long as no space of the site changes.
func (d *Downloads) usersOf(ctx context.Context, s *scope.Scope, file *entity.Entry) ([]fileUser, error) {
	var key strings.Builder
	key.WriteString(string(s.Space.Space) + " " + file.ID)
	for _, space := range s.Spaces {
		key.WriteString(" " + string(space.Head))
	}
	return d.fileUsers.Load(ctx, key.String(), func(ctx context.Context) ([]fileUser, error) {
		var users []fileUser
		seen := map[fileUser]bool{}
		// A reusable content stands for the pages that include it.
		todo := []fileUser{{s.Space.Space, file.ID}}
		for len(todo) > 0 {
			used := todo[0]
			todo = todo[1:]
			for _, space := range s.Spaces {
				if space.Head == "" {
					continue
				}
				view, err := s.Services.Content.View(ctx, space.Head)
				if err != nil {
					return nil, err
				}
				found, err := d.deps.Links.Users(ctx, view, used.space, used.page)
				if err != nil {
					return nil, err
				}
				for _, id := range found {
					user := fileUser{space.Space, id}
					if seen[user] {
						continue
					}
					seen[user] = true
					entry, err := view.Entry(ctx, id)
					if err != nil {
						return nil, err
					}
					if entry.Kind == entity.KindReusable {
						todo = append(todo, user)
					} else {
						users = append(users, user)
					}
				}
			}
		}
		return users, nil
	})
}
