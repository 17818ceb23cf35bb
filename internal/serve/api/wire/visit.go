package wire

import (
	"strconv"

	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
)

// VisitSpace is a space as a visitor of a site gets it: what the site says of it, and nothing of what members know.
func (w Writer) VisitSpace(visit *audience.Visit, s site.ServedSpace) Space {
	of, address := visit.Served.Site, visit.Address(s.URL)
	return Space{
		Object: "space", ID: s.Space, Title: s.Title, Emoji: s.Emoji, Visibility: string(of.Visibility),
		CreatedAt: Timestamp(of.CreatedAt), UpdatedAt: Timestamp(of.UpdatedAt), EditMode: "locked",
		MergeRules: MergeRules{Type: "inherit"}, Organization: visit.Served.Organization, Language: s.Language,
		Revision: s.Head, Permissions: SpacePermissions{View: true, Access: true},
		URLs: SpaceURLs{Location: w.BaseURL + "/v1/spaces/" + string(s.Space),
			App: w.BaseURL + "/app/spaces/" + string(s.Space) + "/", Icon: s.Icon, Published: address, Public: address},
	}
}

// VisitChangeRequest is a change request as a preview shows it: nothing of what people say in it, and of nobody.
func (w Writer) VisitChangeRequest(r change.Request) ChangeRequest {
	return ChangeRequest{Object: "change-request", ID: r.ID, Number: r.Number, Status: string(r.Status),
		Subject: r.Subject, CreatedBy: w.KnownUser(nil, ""), CreatedAt: Timestamp(r.CreatedAt),
		UpdatedAt: Timestamp(r.UpdatedAt), Space: r.Space, Revision: r.Head, RevisionInitial: r.Initial,
		URLs: ChangeRequestURLs{App: w.BaseURL + "/app/spaces/" + string(r.Space) + "/changes/" +
			strconv.Itoa(r.Number), Location: w.ChangeRequestURL(r)}}
}
