package app_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/org"
)

// objects are the kinds of objects whose answers have permissions, with where they are.
var objects = []struct{ kind, path string }{
	{"organization", "/v1/orgs/{organizationId}"},
	{"openapi-spec", "/v1/orgs/{organizationId}/openapi/{specSlug}"},
	{"translation-settings", "/v1/orgs/{organizationId}/translations/{translationSettingsId}"},
	{"comment-reply", "/v1/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}"},
	{"comment", "/v1/spaces/{spaceId}/comments/{commentId}"},
	{"integration", "/v1/integrations/{integrationName}"},
	{"site", "/v1/orgs/{organizationId}/sites/{siteId}"},
	{"space", "/v1/spaces/{spaceId}"},
	{"collection", "/v1/collections/{collectionId}"},
	{"team", "/v1/orgs/{organizationId}/teams/{teamId}"},
}

// standing is how somebody stands to the objects of a trial: their role in the organization, what a grant to them, one
// to their team, and the default level say on the collection and its spaces, and what is theirs.
type standing struct {
	name              string
	role              org.Role
	grant, team       string
	level             string // "null" closes; "" leaves it at inherit
	own, owner, wrote bool
}

func standings() (all []standing) {
	for _, role := range apptest.Ladder {
		all = append(all, standing{name: string(role), role: role})
	}
	for _, level := range []string{"read", "comment", "edit", "review", "create", "admin"} {
		all = append(all, standing{name: "guest with a grant of " + level, role: apptest.Guest, grant: level})
	}
	return append(all,
		standing{name: "reader with a grant of edit", role: org.RoleRead, grant: "edit"},
		standing{name: "reader with a grant of create", role: org.RoleRead, grant: "create"},
		standing{name: "reader with a default of comment", role: org.RoleRead, level: "comment"},
		standing{name: "reader with a default of create", role: org.RoleRead, level: "create"},
		standing{name: "reader with a default of admin", role: org.RoleRead, level: "admin"},
		standing{name: "guest of a team", role: apptest.Guest, team: "create"},
		standing{name: "guest with a default of admin", role: apptest.Guest, level: "admin"},
		standing{name: "creator where it is closed", role: org.RoleCreate, level: "null"},
		standing{name: "creator with a default of review", role: org.RoleCreate, level: "review"},
		standing{name: "creator with a grant of review", role: org.RoleCreate, grant: "review"},
		standing{name: "creator with their own", role: org.RoleCreate, own: true},
		standing{name: "creator with their own, closed to them", role: org.RoleCreate, own: true, level: "read"},
		standing{name: "guest with their own", role: apptest.Guest, grant: "create", own: true},
		standing{name: "owner of the team", role: org.RoleRead, owner: true},
		standing{name: "guest who owns the team", role: apptest.Guest, owner: true},
		standing{name: "author of comments", role: org.RoleComment, wrote: true},
		standing{name: "author of comments who may not take part any more", role: org.RoleRead, wrote: true},
	)
}

// kindsOf are the standings that differ in what the database is asked for, one for each: what follows from one role or
// level and not from another is decided outside of it.
func kindsOf(all []standing) []standing {
	known := map[standing]bool{}
	return slices.DeleteFunc(slices.Clone(all), func(who standing) bool {
		some := func(text string) string {
			if text == "" {
				return ""
			}
			return "some"
		}
		kind := standing{role: who.role, grant: some(who.grant), team: some(who.team), level: who.level,
			own: who.own, owner: who.owner, wrote: who.wrote}
		if who.role != apptest.Guest && who.role != org.RoleAdmin {
			kind.role = "member"
		}
		if who.level != "null" {
			kind.level = some(who.level)
		}
		if known[kind] {
			return true
		}
		known[kind] = true
		return false
	})
}

// TestPermissionsAreWhatMayBeDone reads, for everybody in standings, the permissions of one object of each kind, and
// then does what access.Deeds says that each of them stands for: it goes if and only if the permission is true, and
// those that the deed needs besides. On PostgreSQL those of kindsOf are enough.
func TestPermissionsAreWhatMayBeDone(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d, all := newDeedTrial(s.Hurry()), standings()
		allowed, refused := 1500, 2500
		if s.OnPostgres() {
			all, allowed, refused = kindsOf(all), 750, 1250
		}
		for i, who := range all {
			d.try(who, fmt.Sprintf("standing%d@example.org", i))
		}
		if d.allowed < allowed || d.refused < refused {
			t.Errorf("only %d deeds went and %d were refused", d.allowed, d.refused)
		}
	})
}

// TestEveryOperationStandsUnderAPermission holds that every operation is in the table or about no object, and that the
// table has no others.
func TestEveryOperationStandsUnderAPermission(t *testing.T) {
	newDeedTrial(apptest.OnSQLite(t, nil)).complete()
}

// deedTrial tries deeds.
type deedTrial struct {
	*world
	operations       map[string]operation
	trials           map[string]trial
	allowed, refused int
}

func newDeedTrial(s *apptest.Server) *deedTrial {
	d := &deedTrial{world: &world{Server: s, page: "https://example.com", offline: true},
		operations: map[string]operation{}, trials: maps.Clone(partA)}
	maps.Copy(d.trials, partB)
	for _, each := range operations(s) {
		d.operations[each.id] = each
	}
	return d
}

func (d *deedTrial) complete() {
	d.T.Helper()
	known := map[string]bool{}
	for kind, permissions := range access.Deeds {
		for permission, deeds := range permissions {
			for _, deed := range deeds {
				if known[deed.Operation] = true; d.operations[deed.Operation].id == "" {
					d.T.Errorf("%s.%s stands for %s, which is no operation", kind, permission, deed.Operation)
				}
			}
		}
	}
	for id := range d.operations {
		if known[id] == slices.Contains(ofNoObject, id) {
			d.T.Errorf("%s has to be in access.Deeds, or else in ofNoObject", id)
		}
	}
}

// try goes through all kinds of objects as one person.
func (d *deedTrial) try(who standing, email string) {
	d.T.Helper()
	token, userID := d.Person(cmp.Or(map[org.Role]org.Role{apptest.Guest: org.RoleGuest}[who.role], who.role), email)
	if who.role == apptest.Guest {
		var member struct{ Role *string }
		if d.Call(http.MethodGet, "/v1/orgs/"+d.Organization+"/members/"+userID, nil, http.StatusOK,
			&member); member.Role != nil {
			d.T.Fatalf("%s is no guest", who.name)
		}
	}
	samples := d.everything()
	if who.owner {
		at := "/v1/orgs/" + d.Organization + "/teams/" + samples["teamId"] + "/members/" + userID
		d.Call(http.MethodPut, at, `{"role":"owner"}`, http.StatusNoContent, nil)
	}
	if who.wrote {
		d.write(token, userID, samples)
	}
	if who.own {
		d.make(userID, samples)
	}
	relate := func() { d.relate(who, userID, samples) }
	relate()
	permissions := map[string]map[string]bool{}
	for _, object := range objects {
		permissions[object.kind] = d.permissions(object.kind, fill(d.T, object.path, samples, url.PathEscape), token)
	}
	for _, object := range objects {
		for _, permission := range sortedPermissions(access.Deeds[object.kind]) {
			for _, deed := range access.Deeds[object.kind][permission] {
				may := permissions[object.kind][permission]
				for _, other := range deed.Also {
					kind, name, _ := strings.Cut(other, ".")
					may = may && permissions[kind][name]
				}
				d.one(who, object.kind+"."+permission, deed, may, token, samples, relate)
			}
		}
	}
}

// sortedPermissions are those of a kind in the order in which they are tried.
func sortedPermissions(deeds map[string][]access.Deed) []string {
	return slices.SortedFunc(maps.Keys(deeds), func(a, b string) int {
		return cmp.Or(cmp.Compare(order[a], order[b]), cmp.Compare(a, b))
	})
}

// order is that of permissions where it matters: reading comes first, and what ends things last.
var order = map[string]int{"view": -1, "viewAdaptiveSchema": -1, "access": -1, "delete": 1, "admin": 2}

// permissions are those that an answer shows; none for what is not there.
func (d *deedTrial) permissions(kind, path, token string) map[string]bool {
	d.T.Helper()
	got := d.Raw(http.MethodGet, path, token, nil)
	if got.Status == http.StatusForbidden || got.Status == http.StatusNotFound {
		return nil
	}
	var object struct{ Permissions map[string]bool }
	if err := json.Unmarshal(got.Body, &object); err != nil || got.Status != http.StatusOK {
		d.T.Fatalf("%s: %d %v %.300s", path, got.Status, err, got.Body)
	}
	for permission := range object.Permissions {
		if _, known := access.Deeds[kind][permission]; !known {
			d.T.Errorf("%s.%s is in answers, and stands for nothing", kind, permission)
		}
	}
	for permission := range access.Deeds[kind] {
		if _, shown := object.Permissions[permission]; !shown {
			d.T.Errorf("%s.%s stands for something, and is in no answer", kind, permission)
		}
	}
	return object.Permissions
}

// one does one deed.
func (d *deedTrial) one(who standing, name string, deed access.Deed, may bool, token string, samples map[string]string,
	relate func()) {
	d.T.Helper()
	what, operation := d.trials[deed.Operation], d.operations[deed.Operation]
	way := deedWays[deed.Operation]
	if deed.With != "" {
		way = deedWays[deed.Operation+" "+deed.With]
	}
	if way.elsewhere != "" {
		return
	}
	if way.before != nil {
		way.before(d, samples)
	}
	at := maps.Clone(samples)
	maps.Copy(at, what.at)
	maps.Copy(at, way.at(samples))
	body := cmp.Or(way.body, what.body)
	if deed.With != "" && way.body == "" && way.check == nil && way.before == nil {
		d.T.Fatalf("nothing says how to do %s with %s", deed.Operation, deed.With)
	}
	got := d.Server.Try(operation.method, fill(d.T, operation.pattern, at, url.PathEscape)+what.query, token,
		fill(d.T, body, at, nil))
	went := got.Status != http.StatusForbidden && got.Status != http.StatusNotFound
	if way.check != nil {
		went = way.check(got)
	}
	if went != may {
		d.T.Errorf("%s: %s is %t, and %s %s answers %d %.300s", who.name, name, may, deed.Operation, deed.With,
			got.Status, got.Body)
	}
	if went {
		d.allowed++
	} else {
		d.refused++
	}
	if went && operation.method != http.MethodGet || way.always {
		if way.after != nil {
			way.after(d, samples)
			relate()
		}
	}
}

// everything is one of everything.
func (d *deedTrial) everything() map[string]string {
	d.T.Helper()
	samples := d.samples()
	for _, prepare := range []func(*apptest.Server, map[string]string){
		withGroupedSection, withShareLink, withSchema, withIntegration, withCustomization, nameForAddress,
	} {
		prepare(d.Server, samples)
	}
	retranslated(d, samples)
	return samples
}

// relate lets somebody stand to the collection and the spaces as a standing says.
func (d *deedTrial) relate(who standing, userID string, samples map[string]string) {
	d.T.Helper()
	if who.team != "" && samples["related"] == "" {
		samples["related"] = d.Team("Related", userID)
	}
	for _, at := range []string{"collections/" + samples["collectionId"], "spaces/" + samples["spaceId"],
		"spaces/" + samples["source"], "spaces/" + samples["variant"]} {
		body := map[string]any{"defaultLevel": "inherit"}
		if who.level == "null" {
			body["defaultLevel"] = nil
		} else if who.level != "" {
			body["defaultLevel"] = who.level
		}
		d.Call(http.MethodPatch, "/v1/"+at, body, http.StatusOK, nil)
		if who.grant != "" {
			d.Call(http.MethodPost, "/v1/"+at+"/permissions", map[string]any{"users": []string{userID},
				"role": who.grant}, http.StatusNoContent, nil)
		}
		if who.team != "" {
			d.Call(http.MethodPost, "/v1/"+at+"/permissions", map[string]any{"teams": []string{samples["related"]},
				"role": who.team}, http.StatusNoContent, nil)
		}
	}
}
