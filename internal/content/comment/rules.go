package comment

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
)

// Permissions say what a caller may do with a comment or reply. They are shown in answers, and the guards of the
// operations ask them.
type Permissions struct {
	View bool
	// Edit is to change the body.
	Edit bool
	// Reply is to answer in the thread and to react.
	Reply  bool
	Delete bool
	// Resolve is to resolve and reopen the thread; answers about replies leave it out.
	Resolve bool
	// Apply is to apply what the comment suggests; only a comment that suggests something has it.
	Apply bool
}

// permissionsOf returns what a caller may do with what an author has posted in a space. author is "" when the account
// is gone.
func permissionsOf(space access.Space, caller account.Caller, author id.User) Permissions {
	takesPart := space.Permissions.Comment
	own := takesPart && author != "" && author == caller.User.ID
	return Permissions{
		View: space.Permissions.View, Edit: own, Reply: takesPart, Delete: own || space.Permissions.Review,
		Resolve: own || space.Permissions.Edit,
	}
}

// permissions returns what a caller may do with a comment in a space.
func (c Comment) permissions(space access.Space, caller account.Caller) Permissions {
	all := permissionsOf(space, caller, c.author)
	all.Apply = c.Suggestion != nil && space.Permissions.Edit
	return all
}

func (p Permissions) requireEdit() error {
	if !p.Edit {
		return errs.Forbiddenf("Only who posted it may change the text. Reply to it instead.")
	}
	return nil
}

func (p Permissions) requireDelete() error {
	if !p.Delete {
		return errs.Forbiddenf("Only who posted it, or a role in this space of %s or higher, may delete it.",
			org.RoleReview)
	}
	return nil
}

func (p Permissions) requireResolve() error {
	if !p.Resolve {
		return errs.Forbiddenf("Only who posted it, or a role in this space of %s or higher, may resolve or reopen it.",
			org.RoleEdit)
	}
	return nil
}

// checkBody refuses a body that cannot be kept, and returns the ids of the users whom it mentions, each once, in order.
func checkBody(body string) (mentions []id.User, err error) {
	if len(body) > MaxBodySize {
		return nil, errs.New(errs.TooLarge, "The body has %d bytes of Markdown; a comment may have at most %d.",
			len(body), MaxBodySize)
	}
	if !field.Storable(body) {
		return nil, errs.Invalidf("body.body", "is not UTF-8 text, or has a zero byte; send text")
	}
	document, err := markdown.Parse([]byte(body))
	if err != nil {
		return nil, refusedBody(err)
	}
	for node := range document.All() {
		data, ok := node.Data.(*doc.ContentRefData)
		if !ok || node.Type != doc.Mention {
			continue
		}
		if ref := doc.ParseDestination(data.Ref.URL); ref.Kind == doc.RefUser && id.Valid("user", ref.User) &&
			!slices.Contains(mentions, id.User(ref.User)) {
			mentions = append(mentions, id.User(ref.User))
		}
		if len(mentions) > MaxMentions {
			return nil, errs.Invalidf("body.body", "mentions more than %d people; mention fewer", MaxMentions)
		}
	}
	return mentions, nil
}

// refusedBody says which part of the request holds the Markdown that was refused.
func refusedBody(err error) error {
	if refusal, ok := errors.AsType[*errs.Error](err); ok {
		return &errs.Error{
			Kind: refusal.Kind, Message: "body.body: " + refusal.Message, Cause: refusal.Cause,
			Details: []errs.Detail{{Path: "body.body", Message: refusal.Message}},
		}
	}
	return fmt.Errorf("parse a comment: %w", err)
}

// edit is a Change that was checked, with what follows from its body.
type edit struct {
	body     *string
	mentions []id.User
	resolved *bool
	// add and remove are emoji characters, each once and none in both.
	add, remove []string
}

// checked refuses a change that makes no sense whoever asks for it.
func (c Change) checked() (edit, error) {
	made := edit{body: c.Body, resolved: c.Resolved}
	var err error
	if c.Body != nil {
		if made.mentions, err = checkBody(*c.Body); err != nil {
			return edit{}, err
		}
	}
	if made.remove, err = checkEmoji("body.removedReactions", c.Remove); err != nil {
		return edit{}, err
	}
	if made.add, err = checkEmoji("body.addedReactions", c.Add); err != nil {
		return edit{}, err
	}
	made.add = slices.DeleteFunc(made.add, func(emoji string) bool { return slices.Contains(made.remove, emoji) })
	return made, nil
}

// checked returns a filter whose words are known and whose ids are well formed. none says that nothing can pass it.
func (f Filter) checked() (filter Filter, none bool, err error) {
	if f.Order == "" {
		f.Order = NewestFirst
	}
	if err := field.OneOf("query.order", f.Order, NewestFirst, OldestFirst); err != nil {
		return f, false, err
	}
	if f.Status != "" {
		if err := field.OneOf("query.status", f.Status, Open, Resolved); err != nil {
			return f, false, err
		}
	}
	if len(f.Authors) > MaxAuthors {
		return f, false, errs.Invalidf("query.authors", "has %d ids; at most %d are accepted", len(f.Authors),
			MaxAuthors)
	}
	asked := len(f.Authors) > 0
	f.Authors = slices.DeleteFunc(slices.Clone(f.Authors), func(author id.User) bool {
		return !id.Valid("user", author)
	})
	return f, asked && len(f.Authors) == 0 || !field.Storable(f.Page), nil
}

func noComment() error {
	return errs.NotFoundf("There is no such comment here, or you may not see it. List the comments to see their ids.")
}

func noReply() error {
	return errs.NotFoundf(
		"There is no such reply to this comment, or you may not see it. List the replies to see their ids.")
}
