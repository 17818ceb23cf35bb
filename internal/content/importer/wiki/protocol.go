package wiki

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Limits of one fetch.
const (
	maxRefs     = 16 << 20 // bytes of the list of references
	maxPack     = 1 << 30  // bytes of the pack, as it travels
	refsTime    = time.Minute
	packTime    = 30 * time.Minute
	maxPktBytes = 65520
)

// hash is the name of an object.
type hash [20]byte

func (h hash) String() string { return hex.EncodeToString(h[:]) }

func parseHash(text string) (hash, bool) {
	var h hash
	if len(text) != 2*len(h) {
		return h, false
	}
	_, err := hex.Decode(h[:], []byte(text))
	return h, err == nil
}

// readPacket reads one line of the protocol: its length in four hexadecimal digits and its content. A flush is nil.
func readPacket(r *bufio.Reader) ([]byte, error) {
	var digits [4]byte
	if _, err := io.ReadFull(r, digits[:]); err != nil {
		return nil, err
	}
	length, err := strconv.ParseUint(string(digits[:]), 16, 32)
	if err != nil || length > maxPktBytes || length > 0 && length < 4 {
		return nil, errs.New(errs.Invalid, "the server does not speak Git's protocol; check the address")
	}
	if length == 0 {
		return nil, nil
	}
	packet := make([]byte, length-4)
	_, err = io.ReadFull(r, packet)
	return packet, err
}

func writePacket(out *bytes.Buffer, line string) {
	fmt.Fprintf(out, "%04x%s", len(line)+4, line)
}

// reference is what a branch stands at.
type reference struct {
	commit hash
	// branch is its name without refs/heads/, "" when it is not known.
	branch string
}

// head asks for the commit that the repository's default branch stands at. It returns the repository's address after
// redirects too, which the next request goes to.
func head(ctx context.Context, client *fetch.Client, repository string) (found reference, address string, err error) {
	response, err := client.Get(ctx, repository+"/info/refs?service=git-upload-pack",
		fetch.Limits{Bytes: maxRefs, Time: refsTime, Redirects: 5})
	if err != nil {
		return reference{}, "", err
	}
	defer response.Body.Close()
	switch {
	case response.Status == 401 || response.Status == 403 || response.Status == 404:
		return reference{}, "", errs.New(errs.Invalid,
			"%s is not there or not public (status %d); a wiki is there once it has a page", repository,
			response.Status)
	case response.Status != 200:
		return reference{}, "", errs.New(errs.Invalid, "%s answers with status %d; check the address", repository,
			response.Status)
	case response.ContentType != "application/x-git-upload-pack-advertisement":
		return reference{}, "", errs.New(errs.Invalid,
			"%s is not a Git repository that can be read over HTTP; check the address", repository)
	}
	at := *response.URL
	at.RawQuery, at.Path = "", strings.TrimSuffix(at.Path, "/info/refs")
	found, err = headOf(bufio.NewReader(response.Body), repository)
	return found, at.String(), err
}

// branches begins the names of branches.
const branches = "refs/heads/"

// headOf finds the default branch in the list of references: HEAD, else main, else master, else the first branch.
// Servers say among their capabilities which branch HEAD is; of others it is a branch that stands at the same commit.
func headOf(r *bufio.Reader, repository string) (reference, error) {
	found := map[string]hash{}
	first, symbolic := "", ""
	var names []string
	flushes := 0
	for flushes < 2 {
		packet, err := readPacket(r)
		if err == io.EOF {
			break
		}
		if err != nil {
			return reference{}, broken(err, repository)
		}
		if packet == nil {
			flushes++
			continue
		}
		line, capabilities, _ := strings.Cut(strings.TrimSuffix(string(packet), "\n"), "\x00")
		for capability := range strings.FieldsSeq(capabilities) {
			if target, ok := strings.CutPrefix(capability, "symref=HEAD:"); ok {
				symbolic = target
			}
		}
		object, name, ok := strings.Cut(line, " ")
		stands, isHash := parseHash(object)
		if !ok || !isHash || stands == (hash{}) {
			continue
		}
		found[name] = stands
		if strings.HasPrefix(name, branches) {
			first = cmp.Or(first, name)
			names = append(names, name)
		}
	}
	for _, name := range []string{"HEAD", branches + "main", branches + "master", first} {
		commit, ok := found[name]
		if !ok {
			continue
		}
		for _, branch := range append([]string{symbolic, name, branches + "main", branches + "master"}, names...) {
			if short, ok := strings.CutPrefix(branch, branches); ok && found[branch] == commit {
				return reference{commit, short}, nil
			}
		}
		return reference{commit: commit}, nil
	}
	return reference{}, errs.New(errs.Invalid, "%s is empty: it has no branch", repository)
}

// broken explains an error while the server's answer was read.
func broken(err error, repository string) error {
	if errs.KindOf(err) != errs.Internal {
		return err
	}
	return errs.Wrap(err, errs.Invalid, "the answer of %s is not whole, or not Git's", repository)
}

// fetchPack asks for a commit without its history and writes the pack with its objects.
func fetchPack(ctx context.Context, client *fetch.Client, repository string, commit hash, into io.Writer,
	progress func(string)) error {
	var request bytes.Buffer
	writePacket(&request, "want "+commit.String()+" side-band-64k ofs-delta no-progress shallow agent=recto\n")
	writePacket(&request, "deepen 1\n")
	request.WriteString("0000")
	writePacket(&request, "done\n")
	response, err := client.Post(ctx, repository+"/git-upload-pack", "application/x-git-upload-pack-request",
		request.Bytes(), fetch.Limits{Bytes: maxPack, Time: packTime, Redirects: 5})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.Status != 200 || response.ContentType != "application/x-git-upload-pack-result" {
		return errs.New(errs.Invalid, "%s does not hand out its content (status %d); check the address", repository,
			response.Status)
	}
	return demultiplex(bufio.NewReaderSize(response.Body, 64<<10), repository, into, progress)
}

// demultiplex writes what is the pack of an answer.
func demultiplex(r *bufio.Reader, repository string, into io.Writer, progress func(string)) error {
	received, last := 0, 0
	for acknowledged := false; ; {
		packet, err := readPacket(r)
		if err == io.EOF {
			if received == 0 {
				return errs.New(errs.Invalid, "%s sent no content", repository)
			}
			return nil
		}
		if err != nil {
			return broken(err, repository)
		}
		switch {
		case packet == nil:
		case bytes.HasPrefix(packet, []byte("shallow ")), bytes.HasPrefix(packet, []byte("unshallow ")):
		case !acknowledged && (bytes.HasPrefix(packet, []byte("NAK")) || bytes.HasPrefix(packet, []byte("ACK "))):
			acknowledged = true
		case bytes.HasPrefix(packet, []byte("ERR ")):
			return errs.New(errs.Invalid, "%s refuses: %.200q", repository, packet[4:])
		case len(packet) > 0 && packet[0] == 1:
			if _, err := into.Write(packet[1:]); err != nil {
				return fmt.Errorf("store pack: %w", err)
			}
			if received += len(packet) - 1; received-last > 1<<20 {
				last = received
				progress(fmt.Sprintf("fetching: %d MB", received>>20))
			}
		case len(packet) > 0 && packet[0] == 2: // progress of the server
		case len(packet) > 0 && packet[0] == 3:
			return errs.New(errs.Invalid, "%s refuses: %.200q", repository, packet[1:])
		default:
			return errs.New(errs.Invalid, "%s does not speak Git's protocol as expected", repository)
		}
	}
}
