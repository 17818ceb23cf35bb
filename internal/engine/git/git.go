// Package git owns what is known of a Git repository without speaking its protocol: a Source says where content came
// from, Address and Remote give a repository the one spelling under which it is kept, Object names bytes as Git does,
// and EditAddress says where people edit a file.
//
// Everything that comes from outside is held to bounds and shapes here, so that what is kept can be put into an address
// again: no credentials, no control characters, no way out of a folder. Nothing is fetched and nothing is run.
package git

import (
	"crypto/sha1"
	"encoding/hex"
	"hash"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Limits of a Source, in bytes.
const (
	MaxAddress = 1000
	MaxRef     = 250
	MaxPath    = 1024
	MaxMessage = 2000
)

// Source says which state of a repository something came from. Its JSON form is stored.
type Source struct {
	// Repository is its address as Address returns it, "" for none.
	Repository string `json:"repository,omitempty"`
	// Ref is the name of a branch, without refs/heads/; "" when it is not known.
	Ref string `json:"ref,omitempty"`
	// Folder is the path of the folder in the repository that was read, without slashes at its ends; "" is all of it.
	Folder string `json:"folder,omitempty"`
	// Commit is the commit's name in 40 hexadecimal digits, "" when it is not known; Message is what its author wrote.
	Commit  string `json:"commit,omitempty"`
	Message string `json:"message,omitempty"`
}

// File says which file of a repository an entry came from.
type File struct {
	// Repository and Ref are those of a Source.
	Repository string `json:"repository"`
	Ref        string `json:"ref,omitempty"`
	// Path is the file's path in the repository, OID the name of its bytes.
	Path string `json:"path"`
	OID  string `json:"oid"`
}

// Clean returns the source in the form in which it is kept. An errs.Invalid error names the field that cannot be:
// repository, ref, folder or commit.
func (s Source) Clean() (Source, error) {
	var err error
	if s.Repository, err = Address(s.Repository); err != nil {
		return Source{}, err
	}
	if err := checkRef(s.Ref); err != nil {
		return Source{}, err
	}
	s.Folder = strings.Trim(s.Folder, "/")
	if s.Folder == "." {
		s.Folder = ""
	}
	if s.Folder != "" {
		if problem := pathProblem(s.Folder); problem != "" {
			return Source{}, errs.Invalidf("folder",
				"%s; give the path of a folder in the repository, such as docs/guide", problem)
		}
	}
	s.Commit = strings.ToLower(s.Commit)
	if s.Commit != "" && !ValidOID(s.Commit) {
		return Source{}, errs.Invalidf("commit", "is not the name of a commit: give all of its 40 hexadecimal digits")
	}
	s.Message = cut(strings.TrimSpace(strings.ToValidUTF8(s.Message, "\uFFFD")), MaxMessage)
	return s, nil
}

// cut shortens a text to a number of bytes at the border of a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// File returns what is kept of a file that a source holds under a path below its folder; nil when the path is longer
// than one that is kept.
func (s Source) File(name, oid string) *File {
	full := path.Join(s.Folder, name)
	if pathProblem(full) != "" {
		return nil
	}
	return &File{Repository: s.Repository, Ref: s.Ref, Path: full, OID: oid}
}

// Check returns an errs.Invalid error unless the file is one that Source.File could have returned.
func (f *File) Check() error {
	if clean, err := Address(f.Repository); err != nil || clean != f.Repository {
		return errs.Invalidf("git.repository", "is not the address of a repository in its one spelling")
	}
	if err := checkRef(f.Ref); err != nil {
		return errs.Invalidf("git.ref", "is not the name of a branch")
	}
	if problem := pathProblem(f.Path); problem != "" {
		return errs.Invalidf("git.path", "%s", problem)
	}
	if !ValidOID(f.OID) {
		return errs.Invalidf("git.oid", "is not the name of an object: want 40 hexadecimal digits in lower case")
	}
	return nil
}

// checkRef holds the name of a branch to Git's own rules; "" is none.
func checkRef(ref string) error {
	if ref == "" {
		return nil
	}
	refused := errs.Invalidf("ref",
		"is not the name of a branch; give it as Git lists it, such as main or release/2.0, in at most %d bytes",
		MaxRef)
	if len(ref) > MaxRef || !utf8.ValidString(ref) || ref == "@" || strings.HasPrefix(ref, "-") ||
		strings.HasPrefix(ref, "refs/") ||
		strings.HasSuffix(ref, ".") || strings.Contains(ref, "..") || strings.Contains(ref, "@{") ||
		strings.ContainsAny(ref, " ~^:?*[\\") ||
		strings.ContainsFunc(ref, unicode.IsControl) {
		return refused
	}
	for segment := range strings.SplitSeq(ref, "/") {
		if segment == "" || strings.HasPrefix(segment, ".") || strings.HasSuffix(segment, ".lock") {
			return refused
		}
	}
	return nil
}

// pathProblem says why a text is no path in a repository; "" when it is one.
func pathProblem(name string) string {
	switch {
	case len(name) > MaxPath:
		return "has more than " + strconv.Itoa(MaxPath) + " bytes"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "has characters that no path can have"
	case strings.Contains(name, `\`):
		return "has a backslash"
	}
	for segment := range strings.SplitSeq(name, "/") {
		switch segment {
		case "", ".", "..":
			return "has a part that is empty or leads elsewhere"
		case ".git":
			return "leads into Git's own folder"
		}
	}
	return ""
}

// ValidOID reports whether a text is the name of an object: 40 hexadecimal digits in lower case. Repositories that name
// theirs by SHA-256 are not known here.
func ValidOID(text string) bool {
	decoded, err := hex.DecodeString(text)
	return err == nil && len(decoded) == sha1.Size && text == strings.ToLower(text)
}

// Object names the bytes that are written to it as Git names those of a file.
type Object struct{ sum hash.Hash }

// NewObject begins an object of a size in bytes, all of which have to be written.
func NewObject(size int64) *Object {
	sum := sha1.New()
	sum.Write([]byte("blob " + strconv.FormatInt(size, 10) + "\x00"))
	return &Object{sum}
}

// Write takes bytes in; it never fails.
func (o *Object) Write(p []byte) (int, error) { return o.sum.Write(p) }

// OID returns the name of what was written.
func (o *Object) OID() string { return hex.EncodeToString(o.sum.Sum(nil)) }

// OID returns the name that Git gives to the bytes of a file.
func OID(data []byte) string {
	object := NewObject(int64(len(data)))
	object.Write(data)
	return object.OID()
}

// Address returns the one spelling of a repository's address: http or https, the host in lower case, no ".git" and no
// slash at its end. It refuses what is no such address, and one with a user name, a password, a query or a fragment,
// without repeating it: it may hold a secret.
func Address(text string) (string, error) {
	refused := func(what string) (string, error) {
		return "", errs.Invalidf("repository", "%s; give an address such as https://github.com/acme/docs", what)
	}
	text = strings.TrimSpace(text)
	if len(text) > MaxAddress {
		return refused("is longer than " + strconv.Itoa(MaxAddress) + " bytes")
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || !validHost(u) {
		return refused("is not the address of a repository on the web")
	}
	if u.User != nil {
		return refused("may not hold a user name or password")
	}
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(text, "#") {
		return refused("may not have a part behind ? or #")
	}
	name := strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git")
	if name == "" || strings.HasSuffix(name, "/") {
		return refused("names a host and no repository")
	}
	if problem := pathProblem(name); problem != "" {
		return refused(problem)
	}
	return u.Scheme + "://" + strings.ToLower(u.Host) + "/" + escaped(name), nil
}

// validHost reports whether the host of an address is a name or a number, with a port or none.
func validHost(u *url.URL) bool {
	host := u.Hostname()
	plain := !strings.ContainsFunc(host, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".-_:",
			r))
	})
	return plain && host != "" && !strings.HasSuffix(u.Host, ":")
}

// escaped is a path as part of an address.
func escaped(name string) string {
	segments := strings.Split(name, "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	return strings.Join(segments, "/")
}

// sshHosts are hosts that answer to SSH under a name of their own, with the one that they have on the web.
var sshHosts = map[string]string{"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com",
	"altssh.bitbucket.org": "bitbucket.org"}

// Remote returns the address on the web of a repository that Git knows as a remote: git@github.com:acme/docs.git and
// ssh://git@github.com/acme/docs.git are https://github.com/acme/docs, and what an address says of who asks is left
// out. An errs.Invalid error says that it has none: a path on this machine, a name that only its SSH configuration
// knows.
func Remote(remote string) (string, error) {
	none := errs.Invalidf("repository", "is not an address on the web")
	remote = strings.TrimSpace(remote)
	if len(remote) > MaxAddress {
		return "", none
	}
	host, name := "", ""
	switch scheme, rest, found := strings.Cut(remote, "://"); {
	case !found:
		// user@host:path, as scp has it; a colon behind a slash is part of a path.
		before, after, ok := strings.Cut(remote, ":")
		if !ok || strings.Contains(before, "/") {
			return "", none
		}
		_, host, ok = strings.Cut(before, "@")
		if !ok {
			host = before
		}
		name = after
	case scheme == "http", scheme == "https":
		u, err := url.Parse(remote)
		if err != nil {
			return "", none
		}
		u.User, u.RawQuery, u.ForceQuery, u.Fragment = nil, "", false, ""
		return Address(u.String())
	case scheme == "ssh", scheme == "git", scheme == "git+ssh", scheme == "ssh+git":
		u, err := url.Parse("ssh://" + rest)
		if err != nil {
			return "", none
		}
		host, name = u.Hostname(), u.Path
	default:
		return "", none
	}
	host = strings.ToLower(host)
	if !strings.Contains(host, ".") {
		return "", none // a machine's own name, or one of ~/.ssh/config
	}
	if web := sshHosts[host]; web != "" {
		host = web
	}
	name = strings.Trim(name, "/")
	// Azure DevOps: v3/organization/project/repository.
	if parts := strings.Split(name, "/"); host == "ssh.dev.azure.com" && len(parts) == 4 && parts[0] == "v3" {
		host, name = "dev.azure.com", parts[1]+"/"+parts[2]+"/_git/"+parts[3]
	}
	return Address("https://" + host + "/" + escaped(name))
}
