// Package wiki owns reading the wiki of a repository on a Git host, or any Git repository of Markdown, into a
// source.Tree.
//
// The newest commit is fetched over Git's smart HTTP protocol, through package fetch: so neither a redirect nor a name
// reaches a private network, and nothing is executed. What arrives is bounded before it is unpacked: the pack, every
// object in it, their number, their sum. The files then go the way of every folder, held to package filetree's
// promises.
//
// The tree says which commit of which repository it is, and of each page which file.
//
// Pages are in Markdown; in their bodies the wiki's own links ([[Page Name]]) become links. _Sidebar gives the order of
// pages, Home comes first. Pages in other markup are reported. Nothing is written outside the temporary folder.
package wiki

import (
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Read fetches and reads a wiki. address is that of its Git repository (ending with ".git") or of its pages
// (https://github.com/OWNER/REPOSITORY/wiki). What is fetched and read goes to texts and its folder; closing the
// tree removes what was fetched.
// progress may be nil.
func Read(ctx context.Context, client *fetch.Client, address string, texts *source.Texts,
	progress func(message string)) (*source.Tree, error) {
	repository, err := Repository(address)
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(string) {}
	}
	fetched, origin, err := clone(ctx, client, repository, texts.Dir, progress)
	if err != nil {
		return nil, err
	}
	tree, err := readPages(ctx, fetched, repository, texts)
	if err != nil {
		fetched.Close()
		return nil, err
	}
	tree.Report.Leave(fetched)
	if origin, err = origin.Clean(); err == nil {
		// What cannot be kept of a server's own words is no reason to refuse its pages.
		tree.Origin = &origin
	}
	return tree, nil
}

// Repository returns the address of the Git repository that an address means: its own, that of a wiki's pages, or that
// of the repository whose wiki it is.
func Repository(address string) (string, error) {
	if err := fetch.CheckURL(address); err != nil {
		return "", err
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return "", errs.Invalidf("url", "%q is not an address", address)
	}
	u.RawQuery, u.Fragment, u.RawPath = "", "", ""
	segments := strings.Split(strings.Trim(path.Clean("/"+u.Path), "/"), "/")
	for i, segment := range segments {
		switch {
		case strings.HasSuffix(segment, ".git"):
			segments = segments[:i+1]
			u.Path = "/" + strings.Join(segments, "/")
			return u.String(), nil
		case segment == "wiki" && i == 2:
			u.Path = "/" + strings.Join(segments[:2], "/") + ".wiki.git"
			return u.String(), nil
		case segment == "wikis" && i >= 3 && segments[i-1] == "-":
			u.Path = "/" + strings.Join(segments[:i-1], "/") + ".wiki.git"
			return u.String(), nil
		}
	}
	if host := strings.TrimPrefix(u.Hostname(), "www."); host == "github.com" && len(segments) == 2 &&
		segments[1] != "" {
		u.Path = "/" + strings.Join(segments, "/") + ".wiki.git"
		return u.String(), nil
	}
	return "", errs.Invalidf("url", "%s is not the address of a wiki; write one like "+
		"https://github.com/OWNER/REPOSITORY/wiki or one that ends with .git", u.Redacted())
}
