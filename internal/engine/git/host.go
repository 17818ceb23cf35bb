package git

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Host says what serves a repository on the web: which of the known kinds, and what people call it.
type Host struct {
	// Kind is github, gitlab, gitea, bitbucket, azure, sourcehut, or "" when the address does not tell.
	Kind string
	// Name is how a link names it, "" when it is not known.
	Name string
}

// knownHosts are hosts by their names.
var knownHosts = map[string]Host{
	"github.com": {"github", "GitHub"}, "gitlab.com": {"gitlab", "GitLab"}, "codeberg.org": {"gitea", "Codeberg"},
	"gitea.com":     {"gitea", "Gitea"},
	"bitbucket.org": {"bitbucket", "Bitbucket"}, "dev.azure.com": {"azure", "Azure DevOps"},
	"git.sr.ht": {"sourcehut", "SourceHut"},
}

// namedHosts are the kinds of servers that people run themselves, by what their names commonly begin with.
var namedHosts = map[string]Host{"github": {"github", "GitHub"}, "gitlab": {"gitlab", "GitLab"},
	"gitea": {"gitea", "Gitea"}, "forgejo": {"gitea", "Forgejo"}}

// HostOf returns what serves a repository, by the name of its host: that of a public host, or one that begins with the
// name of a known server, such as gitlab.example.org.
func HostOf(repository string) Host {
	u, err := url.Parse(repository)
	if err != nil {
		return Host{}
	}
	name := strings.TrimPrefix(u.Hostname(), "www.")
	if known, ok := knownHosts[name]; ok {
		return known
	}
	first, _, _ := strings.Cut(name, ".")
	return namedHosts[first]
}

// Name returns what a repository is called: its path, such as acme/docs.
func Name(repository string) string {
	u, err := url.Parse(repository)
	if err != nil {
		return ""
	}
	return strings.Trim(u.Path, "/")
}

// wikiSuffix ends the address of the repository of a wiki.
const wikiSuffix = ".wiki"

// EditAddress returns the address at which people edit a file, "" when there is none: without a branch, nothing can be
// edited. On hosts without an editor it is where the file can be read.
func (f *File) EditAddress() string {
	if f == nil {
		return ""
	}
	kind := HostOf(f.Repository).Kind
	if wiki, ok := strings.CutSuffix(f.Repository, wikiSuffix); ok {
		return editWiki(kind, wiki, strings.TrimSuffix(f.Path, path.Ext(f.Path)))
	}
	if f.Ref == "" {
		return ""
	}
	ref, file := escaped(f.Ref), escaped(f.Path)
	switch kind {
	case "gitlab":
		return f.Repository + "/-/edit/" + ref + "/" + file
	case "gitea":
		return f.Repository + "/_edit/" + ref + "/" + file
	case "bitbucket":
		return f.Repository + "/src/" + ref + "/" + file + "?mode=edit&at=" + url.QueryEscape(f.Ref)
	case "azure":
		return f.Repository + "?path=" + url.QueryEscape("/"+f.Path) + "&version=" + url.QueryEscape("GB"+f.Ref)
	case "sourcehut":
		return f.Repository + "/tree/" + ref + "/item/" + file
	}
	// GitHub's form, which GitLab understands, too: the best guess for a server with a name of its own.
	return f.Repository + "/edit/" + ref + "/" + file
}

// editWiki is the address at which a page of a wiki is edited; page is its path without the extension.
func editWiki(kind, wiki, page string) string {
	switch kind {
	case "gitlab":
		return wiki + "/-/wikis/" + escaped(page) + "/edit"
	case "gitea":
		return wiki + "/wiki/" + escaped(path.Base(page)) + "?action=_edit"
	}
	// Folders take no part in the names of pages.
	return wiki + "/wiki/" + escaped(path.Base(page)) + "/_edit"
}

// CommitAddress returns the address at which a commit can be looked at, "" when none is known.
func (s Source) CommitAddress() string {
	if s.Commit == "" || strings.HasSuffix(s.Repository, wikiSuffix) {
		return ""
	}
	switch kind := HostOf(s.Repository).Kind; {
	case kind == "gitlab":
		return s.Repository + "/-/commit/" + s.Commit
	case kind == "bitbucket":
		return s.Repository + "/commits/" + s.Commit
	case slices.Contains([]string{"github", "gitea", "azure", "sourcehut"}, kind):
		return s.Repository + "/commit/" + s.Commit
	}
	return ""
}
