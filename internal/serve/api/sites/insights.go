package sites

import (
	"context"
	"encoding/json"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/visit"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Bounds of what is reported at once.
const (
	maxEventsBody = 1 << 20
	// maxAnswered is how many answers of readers one report brings; a page asks each reader once.
	maxAnswered = 50
)

// siteEvent is something that a reader of a site did. Programs send more with it than is of use here, and newer ones
// report more; all of that is passed over.
type siteEvent struct {
	Type     string
	Session  map[string]any // of which nothing is kept but in what integrations are told
	Location *struct {
		URL         string
		Space, Page *string
	}
	Feedback struct{ Rating, Comment string }
}

// readEvent reads an event at a place of a request.
func readEvent(at string, body wire.JSONObject) (siteEvent, error) {
	var event siteEvent
	if err := json.Unmarshal(body, &event); err != nil {
		return event, errs.Invalidf(at, "has a field of another kind than it should")
	}
	said := event.Feedback
	switch {
	case event.Type == "" || len(event.Type) > 100:
		return event, errs.Invalidf(at+".type", "is needed; page_view is one")
	case event.Session == nil:
		return event, errs.Invalidf(at+".session", "is needed")
	case event.Location == nil:
		return event, errs.Invalidf(at+".location", "is needed")
	case said.Rating != "" && said.Rating != "bad" && said.Rating != "ok" && said.Rating != "good":
		return event, errs.Invalidf(at+".feedback.rating", "is bad, ok or good")
	case utf8.RuneCountInString(said.Comment) > feedback.MaxComment || !field.Storable(said.Comment):
		return event, errs.Invalidf(at+".feedback.comment", "has more than %d characters", feedback.MaxComment)
	}
	return event, nil
}

type trackEventsInput struct {
	wire.SiteParams
	Body struct {
		Events []wire.JSONObject `json:"events" maxItems:"500" doc:"Each with a type, such as page_view, search_open or page_post_feedback, a session and a location; with feedback where a reader said something. Other fields are passed over."`
	}
}

// trackEvents takes what another program that shows a site reports of its readers.
func (h *Handlers) trackEvents(ctx context.Context, in *trackEventsInput) (*operation.Nothing, error) {
	caller := operation.Caller(ctx)
	if _, err := h.Sites.Get(ctx, caller, in.Organization, in.Site); err != nil {
		return nil, err
	}
	var answers []answered
	for i, each := range in.Body.Events {
		event, err := readEvent("body.events["+strconv.Itoa(i)+"]", each)
		if err != nil {
			return nil, err
		}
		said := event.Type == "page_post_feedback" || event.Type == "page_post_feedback_comment"
		if said && event.Location.Space != nil && event.Location.Page != nil && event.Feedback.Rating != "" &&
			event.Feedback.Rating != "ok" && len(answers) < maxAnswered {
			answers = append(answers, answered{feedback.Answer{Site: in.Site, Space: id.Space(*event.Location.Space),
				Page: *event.Location.Page, Helpful: event.Feedback.Rating == "good", Comment: event.Feedback.Comment},
				event.reader(httpx.ClientAddress(ctx))})
		}
	}
	if len(answers) == 0 {
		return &operation.Nothing{}, nil
	}
	profile, err := h.Sites.Published(ctx, caller, in.Organization, in.Site)
	if errs.Is(err, errs.NotFound) || err == nil && !profile.Customization.Feedback.Enabled {
		return &operation.Nothing{}, nil // nobody was asked
	}
	if err != nil {
		return nil, err
	}
	placed, err := h.Sites.ListSpaces(ctx, caller, in.Organization, in.Site, optional.Value[bool]{},
		paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		return nil, err
	}
	for _, answer := range answers {
		if err := h.keep(ctx, placed.Items, answer); err != nil {
			return nil, err
		}
	}
	return &operation.Nothing{}, nil
}

// answered is what a reader said, and who that was as far as integrations are told.
type answered struct {
	feedback.Answer
	reader visit.Reader
}

// reader is who an event is of, as the program that reports it says. Cookies are not passed on: nobody here has asked
// the reader.
func (e siteEvent) reader(address netip.Addr) visit.Reader {
	text := func(name string) string {
		value, _ := e.Session[name].(string)
		return strings.ToValidUTF8(value, "")
	}
	return visit.Reader{Address: address, UserAgent: text("userAgent"), Language: text("language"),
		URL: strings.ToValidUTF8(e.Location.URL, ""), Referrer: text("referrer")}
}

// keep keeps what a reader said, if the page is on the site, and tells the integrations of the site.
func (h *Handlers) keep(ctx context.Context, placed []site.SiteSpace, said answered) error {
	answer := said.Answer
	var siteSpace id.SiteSpace
	for _, each := range placed {
		if each.Space.ID == answer.Space {
			siteSpace = each.ID
		}
	}
	if siteSpace == "" {
		return nil
	}
	told := h.Visits.Given(siteSpace, said.reader)
	view, err := h.Content.Head(ctx, answer.Space)
	if err != nil {
		return err
	}
	page, err := view.Entry(ctx, answer.Page)
	if errs.Is(err, errs.NotFound) || err == nil && (page.Kind != entity.KindPage || page.Type != entity.PageDocument) {
		return nil
	}
	if err != nil {
		return err
	}
	answer.PageTitle = page.Title
	if strings.TrimSpace(answer.Comment) != "" {
		return h.Feedback.AddComment(ctx, answer, told)
	}
	_, err = h.Feedback.Add(ctx, answer, told)
	return err
}
