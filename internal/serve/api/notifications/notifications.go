// Package notifications owns the operations on what the caller is told of: the list, what of it was read, and when mail
// comes about it.
//
// Everybody has their own alone, and sees what is about spaces that they may read.
package notifications

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on notifications. Every field is required.
type Handlers struct {
	Accounts      *account.Service
	Notifications *notification.Service

	Lists wire.Lists
	Wire  wire.Writer
}

// Operations are those on notifications.
func (h *Handlers) Operations() []operation.Operation {
	const (
		list     = "/v1/orgs/{organizationId}/notifications"
		settings = "/v1/user/notification-settings"
		tag      = "Notifications"
	)
	return []operation.Operation{
		operation.New("listNotifications", http.MethodGet, list, tag, "List what you are told of", h.list,
			operation.Describe("Your own, the latest first: mentions, replies, reviews that you are asked for or got, "+
				"merges, comments of yours that were resolved, and imports that are over.")),
		operation.New("markNotifications", http.MethodPost, list+"/read", tag, "Mark what you are told of as read",
			h.mark, operation.Status(http.StatusNoContent),
			operation.Describe(
				"Those that are named, or all of the organization. Mail is sent about what is not read.")),
		operation.New("getNotificationSettings", http.MethodGet, settings, tag, "Get your settings for notifications",
			h.settings),
		operation.New("updateNotificationSettings", http.MethodPut, settings, tag,
			"Change your settings for notifications", h.setSettings),
	}
}

// Notification is something that the caller is told of.
type Notification struct {
	Object    string `json:"object" enum:"notification"`
	ID        string `json:"id"`
	Kind      string `json:"kind" enum:"mention,reply,review-request,review,merge,conflict,resolve,import" doc:"What happened."`
	CreatedAt string `json:"createdAt" format:"date-time"`
	ReadAt    string `json:"readAt,omitempty" format:"date-time" doc:"Absent for what was not read."`
	// Actor is absent when the account is gone.
	Actor         *wire.User          `json:"actor,omitempty" doc:"Who did it."`
	Space         NotifiedSpace       `json:"space"`
	ChangeRequest *NotifiedChange     `json:"changeRequest,omitempty"`
	Import        *NotifiedImport     `json:"import,omitempty" doc:"What an import has brought; absent for one that has failed or only said what it would do."`
	Page          string              `json:"page,omitempty" doc:"Id of the page that a comment is about."`
	Comment       id.Comment          `json:"comment,omitempty" doc:"Id of the comment that began the discussion."`
	Reply         string              `json:"reply,omitempty" doc:"Id of the reply, where it is about one."`
	Text          string              `json:"text,omitempty" doc:"How the comment begins, as plain text, or how an import ended."`
	URLs          NotificationAddress `json:"urls"`
}

// NotifiedImport counts what an import has brought.
type NotifiedImport struct {
	Pages int `json:"pages"`
	Files int `json:"files"`
}

// NotifiedSpace is the space that something happened in.
type NotifiedSpace struct {
	ID    id.Space `json:"id"`
	Title string   `json:"title"`
}

// NotifiedChange is the change request that something happened in, as it was called then.
type NotifiedChange struct {
	ID      id.ChangeRequest `json:"id"`
	Number  int              `json:"number"`
	Subject string           `json:"subject"`
}

// NotificationAddress is where a notification leads.
type NotificationAddress struct {
	App string `json:"app"`
}

type listInput struct {
	wire.OrganizationPath
	wire.PageParams
	Read string `query:"read" enum:"true,false" doc:"Only what was read, or only what was not."`
}

func (h *Handlers) list(ctx context.Context, in *listInput) (*operation.Body[wire.List[Notification]], error) {
	caller := operation.Caller(ctx)
	name := "notifications/" + string(caller.User.ID) + "/" + string(in.Organization) + "/" + in.Read
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := h.Notifications.List(ctx, caller, in.Organization, wire.Boolean(in.Read), request)
	if err != nil {
		return nil, err
	}
	answer, err := h.wire(ctx, found.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[Notification]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(found, answer),
		func(n Notification) Notification { return n })}, nil
}

// wire turns notifications into their wire form, with who did what they tell of.
func (h *Handlers) wire(ctx context.Context, list []notification.Notification) ([]Notification, error) {
	actors := map[id.User]bool{}
	for _, n := range list {
		actors[n.Actor] = n.Actor != ""
	}
	delete(actors, "")
	users, err := h.Accounts.UsersByIDs(ctx, slices.Sorted(maps.Keys(actors)))
	if err != nil {
		return nil, err
	}
	answer := make([]Notification, len(list))
	for i, n := range list {
		answer[i] = Notification{
			Object: "notification", ID: n.ID, Kind: string(n.Kind), CreatedAt: wire.Timestamp(n.CreatedAt),
			Space: NotifiedSpace{ID: n.Space, Title: n.SpaceTitle}, Page: n.Page, Comment: n.Comment, Reply: n.Reply,
			Text: n.Excerpt, URLs: NotificationAddress{App: h.Wire.BaseURL + n.Path()},
		}
		if !n.ReadAt.IsZero() {
			answer[i].ReadAt = wire.Timestamp(n.ReadAt)
		}
		if user, found := users[n.Actor]; found {
			actor := h.Wire.User(user)
			answer[i].Actor = &actor
		}
		if n.Number > 0 {
			answer[i].ChangeRequest = &NotifiedChange{ID: n.ChangeRequest, Number: n.Number, Subject: n.Title}
		}
		if n.Kind == notification.Import {
			answer[i].Text = n.Title
			if n.Imported != nil {
				answer[i].Import = &NotifiedImport{Pages: n.Imported.Pages, Files: n.Imported.Files}
			}
		}
	}
	return answer, nil
}

type markInput struct {
	wire.OrganizationPath
	Body struct {
		Notifications []string `json:"notifications,omitempty" required:"false" maxItems:"100" doc:"Ids; without them all are meant."`
		Read          *bool    `json:"read,omitempty" required:"false" doc:"false marks them as not read; true without it."`
	}
}

func (h *Handlers) mark(ctx context.Context, in *markInput) (*operation.Nothing, error) {
	read := in.Body.Read == nil || *in.Body.Read
	if err := h.Notifications.Mark(ctx, operation.Caller(ctx), in.Organization, in.Body.Notifications,
		read); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

// Settings say when somebody gets mail about what they are told of.
type Settings struct {
	Mail string `json:"mail" enum:"at-once,daily,never" doc:"at-once is within minutes, daily once a day in one message."`
}

type noInput struct{}

func (h *Handlers) settings(ctx context.Context, _ *noInput) (*operation.Body[Settings], error) {
	chosen, err := h.Notifications.Setting(ctx, operation.Caller(ctx).User.ID)
	if err != nil {
		return nil, err
	}
	return &operation.Body[Settings]{Body: Settings{Mail: string(chosen)}}, nil
}

type settingsInput struct {
	Body Settings
}

func (h *Handlers) setSettings(ctx context.Context, in *settingsInput) (*operation.Body[Settings], error) {
	if err := h.Notifications.Set(ctx, operation.Caller(ctx), notification.Mail(in.Body.Mail)); err != nil {
		return nil, err
	}
	return &operation.Body[Settings]{Body: in.Body}, nil
}
