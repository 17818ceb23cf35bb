package page

import (
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// This file makes what is around a page out of the customization: header, footer, announcement, accounts.

// announcementView is the banner above the pages.
type announcementView struct {
	Message, Style string
	Link           *linkView
	// Key tells one announcement from another, so that a reader who has dismissed it sees the next one.
	Key         string
	Dismissible bool
}

// footerView is a column of links below the pages.
type footerView struct {
	Title string
	Links []linkView
}

// socialView is an account elsewhere.
type socialView struct {
	Name, URL string
	Icon      template.HTML
}

// linkOf is a link of the customization; ok is false for one that leads nowhere from here.
func linkOf(s *scope.Scope, title string, localized customization.Localized,
	to map[string]any) (link linkView, ok bool) {
	target := targetOf(s, to)
	if target.Broken || !response.Sendable(target.URL) {
		return linkView{}, false
	}
	link = linkView{Title: localized.In(s.Language(), title), URL: target.URL, External: outside(target.URL)}
	if link.Title == "" {
		link.Title = target.Title
	}
	link.NewTab = link.External && s.Customization().ExternalLinks.Target == "blank"
	return link, link.Title != ""
}

// targetOf resolves a reference of the customization. One that names no space means the one that is read, and where
// that has no such page the site's default one.
func targetOf(s *scope.Scope, to map[string]any) render.Target {
	ref := referenceOf(to)
	target := s.Resolver(nil).Resolve(ref)
	if target.Broken && ref.Kind != doc.RefURL && ref.Space == "" {
		if first, ok := s.Served.Default(); ok && first.Space != s.Space.Space {
			ref.Space = string(first.Space)
			target = s.Resolver(nil).Resolve(ref)
		}
	}
	return target
}

// outside reports whether an address leads to another place than this server's sites.
func outside(address string) bool {
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
}

// headerLinks are the links, buttons and menus of the header that lead somewhere.
func headerLinks(s *scope.Scope) []linkView {
	var links []linkView
	for _, each := range s.Customization().Header.Links {
		if !s.Holds(each.Condition) {
			continue
		}
		link, ok := linkOf(s, each.Title, each.LocalizedTitle, each.To)
		if !ok {
			link = linkView{Title: each.LocalizedTitle.In(s.Language(), each.Title)}
		}
		for _, below := range each.Links {
			if sub, ok := linkOf(s, below.Title, below.LocalizedTitle, below.To); ok {
				link.Links = append(link.Links, sub)
			}
		}
		if !ok && len(link.Links) == 0 || link.Title == "" {
			continue
		}
		switch each.Style {
		case "button-primary":
			link.Class = "is-primary"
		case "button-secondary":
			link.Class = "is-secondary"
		}
		links = append(links, link)
	}
	return links
}

// referenceOf reads a content reference of the settings, which hold it as the API's JSON.
func referenceOf(object map[string]any) doc.Ref {
	text := func(name string) string {
		value, _ := object[name].(string)
		return value
	}
	return doc.Ref{
		Kind: doc.RefKind(text("kind")), URL: text("url"), Page: text("page"), Anchor: text("anchor"),
		Space: text("space"), File: text("file"),
	}
}

// footerGroups are the columns of the footer that have links.
func footerGroups(s *scope.Scope) []footerView {
	var groups []footerView
	for _, each := range s.Customization().Footer.Groups {
		group := footerView{Title: each.LocalizedTitle.In(s.Language(), each.Title)}
		for _, below := range each.Links {
			if link, ok := linkOf(s, below.Title, below.LocalizedTitle, below.To); ok {
				group.Links = append(group.Links, link)
			}
		}
		if len(group.Links) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// announcement is the banner, nil when there is none.
func announcement(s *scope.Scope) *announcementView {
	set := s.Customization().Announcement
	if set == nil || !set.Enabled || s.Preview != nil {
		return nil
	}
	// What warns of a danger stays.
	view := &announcementView{Message: set.LocalizedMessage.In(s.Language(), set.Message), Style: set.Style,
		Dismissible: set.Style != "danger"}
	if set.Link != nil {
		if link, ok := linkOf(s, set.Link.Title, set.Link.LocalizedTitle, set.Link.To); ok {
			view.Link = &link
		}
	}
	sum := sha256.Sum256([]byte(string(s.Served.Site.ID) + set.Style + set.Message))
	view.Key = hex.EncodeToString(sum[:6])
	return view
}

// platforms are the names of where accounts are, and how the address of one is made of its handle.
var platforms = map[string]struct{ name, address string }{
	"twitter": {"X", "https://x.com/"}, "instagram": {"Instagram", "https://www.instagram.com/"},
	"facebook": {"Facebook", "https://www.facebook.com/"},
	"linkedin": {"LinkedIn", "https://www.linkedin.com/"}, "github": {"GitHub", "https://github.com/"},
	"discord": {"Discord", "https://discord.gg/"},
	"slack":   {"Slack", "https://join.slack.com/t/"}, "youtube": {"YouTube", "https://www.youtube.com/"},
	"tiktok": {"TikTok", "https://www.tiktok.com/@"},
	"reddit": {"Reddit", "https://www.reddit.com/"}, "bluesky": {"Bluesky", "https://bsky.app/profile/"},
	"mastodon": {"Mastodon", ""},
	"threads":  {"Threads", "https://www.threads.net/@"}, "medium": {"Medium", "https://medium.com/@"},
}

// socials are the accounts for one place.
func socials(s *scope.Scope, shown func(customization.SocialDisplay) bool) []socialView {
	var views []socialView
	for _, account := range s.Customization().SocialAccounts {
		platform, ok := platforms[account.Platform]
		if !ok || !shown(account.Display) {
			continue
		}
		address := accountAddress(platform.address, account)
		if address == "" {
			continue
		}
		icon := s.Services.Themes.Icons.SVG(account.Platform)
		if icon == "" {
			icon = s.Services.Themes.Icons.SVG("at-sign")
		}
		views = append(views, socialView{Name: platform.name, URL: address, Icon: template.HTML(icon)})
	}
	return views
}

// accountAddress makes the address of an account of its handle, which may be an address already.
func accountAddress(base string, account customization.SocialAccount) string {
	handle := strings.TrimSpace(account.Handle)
	if outside(handle) {
		if _, err := url.Parse(handle); err == nil {
			return handle
		}
		return ""
	}
	// A Mastodon handle names its server: @name@server.
	if name, server, ok := strings.Cut(strings.TrimPrefix(handle, "@"), "@"); account.Platform == "mastodon" {
		if !ok || strings.ContainsAny(server, "/?#@ ") {
			return ""
		}
		return "https://" + server + "/@" + url.PathEscape(name)
	}
	segments := strings.Split(strings.Trim(strings.TrimPrefix(handle, "@"), "/"), "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	if account.Platform == "youtube" && len(segments) == 1 {
		base += "@"
	}
	if account.Platform == "linkedin" && len(segments) == 1 {
		base += "company/"
	}
	if account.Platform == "reddit" && len(segments) == 1 {
		base += "r/"
	}
	return base + strings.Join(segments, "/")
}

// actionsOf are what the menu of a page offers besides its Markdown.
func actionsOf(s *scope.Scope, v *View, pdfPage string) []linkView {
	c, said := s.Customization(), s.Theme().Words
	var actions []linkView
	if c.PageActions.ExternalAI && v.Canonical != "" && s.Preview == nil &&
		s.Served.Site.AgentsContext != site.AgentsExcluded {
		question := url.QueryEscape("Read " + s.Absolute(v.Markdown) + " so that I can ask questions about it.")
		for _, each := range [][2]string{{"ChatGPT", "https://chatgpt.com/?hints=search&q="},
			{"Claude", "https://claude.ai/new?q="}} {
			actions = append(actions, linkView{Title: words.Fill(said.OpenIn, each[0]), URL: each[1] + question,
				External: true, NewTab: true})
		}
	}
	if v.Edit != nil {
		actions = append(actions, *v.Edit)
	}
	if s.Printable() {
		if pdfPage != "" {
			actions = append(actions, linkView{Title: said.PagePDF, URL: s.Home + "~/pdf?page=" +
				url.QueryEscape(pdfPage), Class: "is-pdf", NoFollow: true})
		}
		actions = append(actions, linkView{Title: said.SpacePDF, URL: s.Home + "~/pdf", Class: "is-pdf",
			NoFollow: true})
	}
	return actions
}

// editLink leads to where the file that a page came from is edited; nil where the site does not want it and where there
// is no such file: the page was made here, it is computed, or it is no more than proposed. Nothing of it depends on who
// reads.
func editLink(s *scope.Scope, node *store.TreeNode) *linkView {
	if _, computed := s.Edition.Computed[node.Entry.ID]; computed || s.Preview != nil ||
		!s.Customization().Git.ShowEditLink {
		return nil
	}
	address := node.Entry.Git.EditAddress()
	if address == "" {
		return nil
	}
	said := s.Theme().Words
	link := &linkView{Title: said.EditPage, URL: address, External: true,
		NewTab: s.Customization().ExternalLinks.Target == "blank", NoFollow: true}
	if name := git.HostOf(address).Name; name != "" {
		link.Title = words.Fill(said.EditOn, name)
	}
	return link
}

// scriptsOf are the scripts of integrations: those that are loaded at once, and those that a reader is asked about.
// asks says that one of the first asks that itself.
func scriptsOf(scripts []site.Script) (free, asked []string, asks bool) {
	for _, script := range scripts {
		switch {
		case originOf(script) == "":
		case script.Cookies && !script.Asks:
			asked = append(asked, script.URL)
		default:
			free, asks = append(free, script.URL), asks || script.Asks
		}
	}
	return free, asked, asks
}

// originOf is the server that a script comes from, "" when its address is none that a page may load.
func originOf(script site.Script) string {
	address, err := url.Parse(script.URL)
	if err != nil || address.Scheme != "https" && address.Scheme != "http" || address.Host == "" {
		return ""
	}
	return address.Scheme + "://" + address.Host
}
