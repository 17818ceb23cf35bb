package page

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// maxFeedbackBody bounds what a reader sends: a comment, percent-encoded in the worst case.
const maxFeedbackBody = 16 << 10

// TakesPost reports whether a path is one that readers send something to.
func TakesPost(path string) bool {
	return strings.HasSuffix(path, "/~/feedback") || strings.HasSuffix(path, "/~/block")
}

// ServeFeedback takes the answer to whether a page helped, or a comment on such an answer. Nothing is kept of who it
// was but in what integrations are told, see package visit, and no cookie is set.
func (p *Pages) ServeFeedback(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	if !s.Customization().Feedback.Enabled || s.Preview != nil {
		return p.Missing(w, r, s, "")
	}
	if r.Method != http.MethodPost {
		return p.serveThanks(w, r, s)
	}
	w.Header().Set("Cache-Control", "no-store")
	refuse := func(status int, message string) error {
		http.Error(w, message, status)
		return nil
	}
	if s.Inspection != nil {
		return refuse(http.StatusForbidden, "You are looking at this site as a visitor. What you think of it is not "+
			"counted as a reader's: answer on the site itself.")
	}
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return refuse(http.StatusForbidden, "An answer has to come from the page itself.")
	}
	if decision := p.feedbackLimit.Allow(httpx.AddressKey(httpx.ClientAddress(r.Context()))); !decision.OK {
		decision.SetHeaders(w.Header())
		return refuse(http.StatusTooManyRequests, s.Theme().Words.FeedbackFailed)
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxFeedbackBody)
	if err := r.ParseForm(); err != nil {
		return refuse(http.StatusBadRequest, "The answer cannot be read as a form.")
	}
	if answer := r.PostForm.Get("answer"); answer != "" {
		err := p.deps.Feedback.Comment(r.Context(), s.Served.Site.ID, answer, r.PostForm.Get("comment"),
			p.deps.Visits.Given(s.Space.ID, readerOf(r, s, thence(r, s))))
		if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Invalid) {
			return refuse(http.StatusBadRequest, err.Error())
		}
		if err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	node := s.Edition.Tree.ByID[r.PostForm.Get("page")]
	helpful := r.PostForm.Get("helpful")
	if !s.Edition.Exists(node) || helpful != "yes" && helpful != "no" {
		return refuse(http.StatusBadRequest,
			"Say which page it is about (page) and whether it helped (helpful: yes or no).")
	}
	id, err := p.deps.Feedback.Add(r.Context(), feedback.Answer{
		Site: s.Served.Site.ID, Space: s.Space.Space, Page: node.Entry.ID,
		PageTitle: edition.PlainTitle(edition.Title(node.Entry)),
		Helpful:   helpful == "yes",
	}, p.deps.Visits.Given(s.Space.ID, readerOf(r, s, thence(r, s))))
	if err != nil {
		return fmt.Errorf("keep feedback: %w", err)
	}
	if !strings.Contains(r.Header.Get("Accept"), "application/json") {
		httpx.Redirect(w, http.StatusSeeOther, httpx.LocalLocation(s.Home+"~/feedback"))
		return nil
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	return json.NewEncoder(w).Encode(map[string]string{"answer": id})
}

// serveThanks is where readers without our script come after an answer.
func (p *Pages) serveThanks(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	v := NewView(s)
	v.Heading = s.Theme().Words.Thanks
	v.Title = v.Heading + " · " + v.Site.Title
	v.NoIndex = true
	v.Navigation = Navigation(s, nil)
	page, err := p.Execute(s, v, "message", 0)
	if err != nil {
		return err
	}
	page.Serve(w, r)
	return nil
}
