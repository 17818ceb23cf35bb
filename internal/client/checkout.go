package client

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/git"
)

// Bounds on Git's own files, in bytes: whoever imports a folder may not have made what is in its .git.
const (
	maxGitFile    = 1 << 20
	maxPackedRefs = 64 << 20
)

// errNoCheckout says that something does not lie in a Git checkout.
var errNoCheckout = errors.New("it is in no Git checkout")

// checkout is a Git checkout as far as it is read here: files of .git alone, and Git itself is not run.
type checkout struct {
	// root is the folder that has everything checked out.
	root string
	// own has what belongs to this checkout, common what all worktrees of the repository share.
	own, common string
	config      gitConfig
}

// originOf returns which state of which repository a folder or file is. branch, if not "", is the branch that links to
// edit a page are to lead to instead of the one that is checked out. errNoCheckout says that it lies in no checkout;
// other errors say in words for people why a checkout does not tell.
func originOf(name, branch string) (git.Source, error) {
	folder, err := filepath.Abs(name)
	if err != nil {
		return git.Source{}, err
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return git.Source{}, err
	}
	if info, err := os.Stat(folder); err != nil {
		return git.Source{}, err
	} else if !info.IsDir() {
		folder = filepath.Dir(folder)
	}
	c, err := findCheckout(folder)
	if err != nil {
		return git.Source{}, err
	}
	inside, err := filepath.Rel(c.root, folder)
	if err != nil {
		return git.Source{}, err
	}
	found, err := c.head()
	if err != nil {
		return git.Source{}, err
	}
	found.Folder = filepath.ToSlash(inside)
	if branch != "" {
		found.Ref = branch
	}
	if found.Ref == "" {
		return git.Source{}, errors.New(
			"no branch is checked out, and none stands at this commit; name one with --git-ref")
	}
	remote := c.config.value("remote", "origin", "url")
	if remote == "" {
		return git.Source{}, errors.New("the checkout has no remote named origin")
	}
	if found.Repository, err = git.Remote(remote); err != nil {
		return git.Source{}, errors.New("its remote origin is not an address on the web")
	}
	if found, err = found.Clean(); err != nil {
		return git.Source{}, fmt.Errorf("what the checkout says cannot be kept: %w", err)
	}
	return found, nil
}

// findCheckout finds the checkout that a folder lies in.
func findCheckout(folder string) (*checkout, error) {
	for root := folder; ; root = filepath.Dir(root) {
		entry := filepath.Join(root, ".git")
		info, err := os.Stat(entry)
		switch {
		case err == nil && info.IsDir():
			return openCheckout(root, entry)
		case err == nil:
			// A worktree or a submodule: the file names the folder.
			text, err := readBounded(entry, maxGitFile)
			named, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			if err != nil || !ok {
				return nil, fmt.Errorf("%s cannot be read", entry)
			}
			return openCheckout(root, absolute(root, named))
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s cannot be read", entry)
		}
		if root == filepath.Dir(root) {
			return nil, errNoCheckout
		}
	}
}

// absolute completes a path that Git has written relative to a folder.
func absolute(folder, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}

func openCheckout(root, own string) (*checkout, error) {
	c := &checkout{root: root, own: own, common: own}
	if text, err := readBounded(filepath.Join(own, "commondir"), maxGitFile); err == nil {
		c.common = absolute(own, strings.TrimSpace(string(text)))
	}
	text, err := readBounded(filepath.Join(c.common, "config"), maxGitFile)
	if err != nil {
		return nil, errors.New("the checkout's configuration cannot be read")
	}
	c.config = parseGitConfig(string(text))
	if format := c.config.value("extensions", "", "objectformat"); format != "" && !strings.EqualFold(format, "sha1") {
		return nil, fmt.Errorf("the repository names its objects by %s, and only SHA-1 is known", format)
	}
	if storage := c.config.value("extensions", "", "refstorage"); storage != "" && !strings.EqualFold(storage,
		"files") {
		return nil, fmt.Errorf("the repository keeps its branches in the form %s, and only files are known", storage)
	}
	return c, nil
}

const branchPrefix, remotePrefix = "refs/heads/", "refs/remotes/origin/"

// head returns the branch and commit that are checked out. The branch has the name that it has at the remote.
func (c *checkout) head() (git.Source, error) {
	text, err := readBounded(filepath.Join(c.own, "HEAD"), maxGitFile)
	if err != nil {
		return git.Source{}, errors.New("it does not say what is checked out")
	}
	head := strings.TrimSpace(string(text))
	name, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		if !git.ValidOID(head) {
			return git.Source{}, errors.New("it does not say what is checked out")
		}
		branch, err := c.branchAt(head)
		return git.Source{Ref: branch, Commit: head}, err
	}
	branch, ok := strings.CutPrefix(name, branchPrefix)
	if !ok {
		return git.Source{}, errors.New("what is checked out is no branch")
	}
	commit, err := c.resolve(name)
	if err != nil {
		return git.Source{}, err
	}
	if merged, ok := strings.CutPrefix(c.config.value("branch", branch, "merge"), branchPrefix); ok &&
		c.config.value("branch", branch, "remote") == "origin" {
		branch = merged
	}
	return git.Source{Ref: branch, Commit: commit}, nil
}

// resolve returns the commit that a reference stands at, "" for a branch without commits.
func (c *checkout) resolve(name string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", errors.New("the name of its branch leads elsewhere")
	}
	if text, err := readBounded(filepath.Join(c.common, filepath.FromSlash(name)), maxGitFile); err == nil {
		if commit := strings.TrimSpace(string(text)); git.ValidOID(commit) {
			return commit, nil
		}
		return "", errors.New("the commit of its branch cannot be read")
	}
	commit := ""
	err := c.packed(func(each, stands string) {
		if each == name {
			commit = stands
		}
	})
	return commit, err
}

// branchAt returns the branch of the remote, or else of the checkout, that stands at a commit: the remote's default
// branch, main, master, or the first by name. Machines that build often check out a commit and no branch. It is "" when
// there is none.
func (c *checkout) branchAt(commit string) (string, error) {
	stands := map[string]string{} // references of branches, by their whole names
	isBranch := func(name string) bool {
		return strings.HasPrefix(name, branchPrefix) || strings.HasPrefix(name, remotePrefix) && name != remotePrefix+
			"HEAD"
	}
	err := c.packed(func(name, at string) {
		if isBranch(name) {
			stands[name] = at
		}
	})
	if err != nil {
		return "", err
	}
	for _, prefix := range []string{remotePrefix, branchPrefix} {
		folder := filepath.Join(c.common, filepath.FromSlash(prefix))
		err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return nil // a folder that is not there has no branches
			}
			short, err := filepath.Rel(folder, file)
			if name := prefix + filepath.ToSlash(short); err == nil && isBranch(name) {
				text, err := readBounded(file, maxGitFile)
				if err != nil {
					return fmt.Errorf("its branch %s cannot be read", name)
				}
				stands[name] = strings.TrimSpace(string(text)) // instead of a packed reference of this name
			}
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	preferred := []string{"main", "master"}
	if text, err := readBounded(filepath.Join(c.common, filepath.FromSlash(remotePrefix), "HEAD"),
		maxGitFile); err == nil {
		if name, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: "+remotePrefix); ok {
			preferred = append([]string{name}, preferred...)
		}
	}
	for _, prefix := range []string{remotePrefix, branchPrefix} {
		var names []string
		for name, at := range stands {
			if short, ok := strings.CutPrefix(name, prefix); ok && at == commit {
				names = append(names, short)
			}
		}
		for _, name := range preferred {
			if slices.Contains(names, name) {
				return name, nil
			}
		}
		if len(names) > 0 {
			return slices.Min(names), nil
		}
	}
	return "", nil
}

// packed calls visit with every reference of packed-refs.
func (c *checkout) packed(visit func(name, commit string)) error {
	file, err := os.Open(filepath.Join(c.common, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return errors.New("its packed references cannot be read")
	}
	defer file.Close()
	lines := bufio.NewScanner(io.LimitReader(file, maxPackedRefs))
	for lines.Scan() {
		if commit, name, ok := strings.Cut(lines.Text(), " "); ok && git.ValidOID(commit) {
			visit(name, commit)
		}
	}
	if lines.Err() != nil {
		return errors.New("its packed references cannot be read")
	}
	return nil
}

// readBounded reads a regular file of at most limit bytes.
func readBounded(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("%s is no file of at most %d bytes", name, limit)
	}
	return os.ReadFile(name)
}
