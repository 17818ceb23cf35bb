package wiki

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Limits of a pack, once unpacked. A delta of a few bytes can stand for gigabytes, so sizes count where they arise.
const (
	maxObjects     = 500_000
	maxObjectBytes = 100 << 20
	maxTotalBytes  = 4 << 30
	maxDeltaChain  = 100
	// maxCached is how many bytes of unpacked objects are kept for deltas and trees.
	maxCached = 64 << 20
	// maxWork is how many bytes may be unpacked in all, bases of changes counted every time.
	maxWork = 16 << 30
)

// Kinds of objects in a pack.
const (
	commitObject = 1
	treeObject   = 2
	blobObject   = 3
	tagObject    = 4
	offsetDelta  = 6
	nameDelta    = 7
)

// object is where an object lies in the pack and what it is.
type object struct {
	kind int // of a delta, until it is resolved, one of the two kinds of deltas
	// data is where its compressed bytes begin, size what they unpack to.
	data, size int64
	// baseAt or baseName say what a delta changes.
	baseAt   int64
	baseName hash
}

// pack is a pack file with what was learnt from reading it through.
type pack struct {
	file    *os.File
	size    int64
	objects map[int64]*object // by where they begin
	order   []int64
	byName  map[hash]int64
	cache   map[int64]cached
	cached  int
	work    int64
}

type cached struct {
	kind    int
	content []byte
}

func damaged(why string) error {
	return errs.New(errs.Invalid, "the content that the Git server sent is damaged: %s", why)
}

// openPack reads a pack through: it finds every object, checks its size, and learns its name.
func openPack(ctx context.Context, file *os.File, size int64) (*pack, error) {
	p := &pack{file: file, size: size, objects: map[int64]*object{}, byName: map[hash]int64{},
		cache: map[int64]cached{}}
	if err := p.scan(ctx); err != nil {
		return nil, err
	}
	// A change may name an object that comes later: what cannot be read yet is tried again while others can.
	total := int64(0)
	for waiting := p.order; len(waiting) > 0; {
		var later []int64
		for i, at := range waiting {
			if i%256 == 0 && ctx.Err() != nil {
				return nil, fmt.Errorf("read pack: %w", context.Cause(ctx))
			}
			kind, content, err := p.read(at, 0)
			if errors.Is(err, errNoBase) {
				later = append(later, at)
				continue
			}
			if err != nil {
				return nil, err
			}
			if total += int64(len(content)); total > maxTotalBytes {
				return nil, errs.New(errs.TooLarge, "the repository has more than %d bytes of content",
					int64(maxTotalBytes))
			}
			p.byName[nameOf(kind, content)] = at
		}
		if len(later) == len(waiting) {
			return nil, damaged("a change refers to an object that was not sent")
		}
		waiting = later
	}
	return p, nil
}

// errNoBase says that the object that a change names is not known, or not yet.
var errNoBase = errors.New("base of a change is not known")

// nameOf returns the name of an object by its content.
func nameOf(kind int, content []byte) hash {
	words := map[int]string{commitObject: "commit", treeObject: "tree", blobObject: "blob", tagObject: "tag"}
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", words[kind], len(content))
	h.Write(content)
	return hash(h.Sum(nil))
}

// counter counts the bytes that are read through it, one at a time where the reader wants so: a decompressor that can
// read single bytes takes none too many.
type counter struct {
	reader *bufio.Reader
	at     int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.reader.Read(b)
	c.at += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.reader.ReadByte()
	if err == nil {
		c.at++
	}
	return b, err
}

// scan finds the objects.
func (p *pack) scan(ctx context.Context) error {
	in := &counter{reader: bufio.NewReaderSize(io.NewSectionReader(p.file, 0, p.size), 64<<10)}
	var header [12]byte
	if _, err := io.ReadFull(in, header[:]); err != nil || string(header[:4]) != "PACK" {
		return damaged("it is no pack")
	}
	if version := binary.BigEndian.Uint32(header[4:]); version != 2 && version != 3 {
		return damaged("it has an unknown version")
	}
	count := binary.BigEndian.Uint32(header[8:])
	if count > maxObjects {
		return errs.New(errs.TooLarge, "the repository has %d objects; at most %d are read", count, maxObjects)
	}
	for i := range count {
		if i%256 == 0 && ctx.Err() != nil {
			return fmt.Errorf("read pack: %w", context.Cause(ctx))
		}
		start := in.at
		found, err := readHeader(in, start)
		if err != nil {
			return err
		}
		found.data = in.at
		if err := skipContent(in, found.size); err != nil {
			return err
		}
		p.objects[start] = found
		p.order = append(p.order, start)
	}
	return nil
}

// readHeader reads what stands before an object's content.
func readHeader(in *counter, start int64) (*object, error) {
	b, err := in.ReadByte()
	if err != nil {
		return nil, damaged("it ends early")
	}
	found := &object{kind: int(b >> 4 & 7), size: int64(b & 15)}
	for shift := 4; b&0x80 != 0; shift += 7 {
		if b, err = in.ReadByte(); err != nil || shift > 40 {
			return nil, damaged("an object has no size")
		}
		found.size |= int64(b&0x7f) << shift
	}
	if found.size > maxObjectBytes {
		return nil, errs.New(errs.TooLarge, "a file in the repository has %d bytes; at most %d are taken", found.size,
			maxObjectBytes)
	}
	switch found.kind {
	case commitObject, treeObject, blobObject, tagObject:
	case offsetDelta:
		b, err := in.ReadByte()
		offset := int64(b & 0x7f)
		for n := 0; err == nil && b&0x80 != 0; n++ {
			if b, err = in.ReadByte(); n > 8 {
				return nil, damaged("a change refers to nothing")
			}
			offset = (offset+1)<<7 | int64(b&0x7f)
		}
		if err != nil || offset <= 0 || offset > start {
			return nil, damaged("a change refers to nothing")
		}
		found.baseAt = start - offset
	case nameDelta:
		if _, err := io.ReadFull(in, found.baseName[:]); err != nil {
			return nil, damaged("it ends early")
		}
	default:
		return nil, damaged("an object is of an unknown kind")
	}
	return found, nil
}

// skipContent reads over compressed bytes, which have to unpack to what the header states.
func skipContent(in *counter, size int64) error {
	unpacked, err := zlib.NewReader(in)
	if err != nil {
		return damaged("an object cannot be unpacked")
	}
	n, err := io.Copy(io.Discard, io.LimitReader(unpacked, size+1))
	if err != nil || n != size {
		return damaged("an object cannot be unpacked")
	}
	// The checksum is read with the end of the content.
	if _, err := unpacked.Read(make([]byte, 1)); err != io.EOF {
		return damaged("an object is longer than stated")
	}
	return nil
}

// inflate returns the bytes of an object as they are in the pack.
func (p *pack) inflate(o *object) ([]byte, error) {
	unpacked, err := zlib.NewReader(bufio.NewReader(io.NewSectionReader(p.file, o.data, p.size-o.data)))
	if err != nil {
		return nil, damaged("an object cannot be unpacked")
	}
	content := make([]byte, o.size)
	if _, err := io.ReadFull(unpacked, content); err != nil {
		return nil, damaged("an object cannot be unpacked")
	}
	return content, nil
}

// read returns an object with its changes applied.
func (p *pack) read(at int64, depth int) (kind int, content []byte, err error) {
	if known, ok := p.cache[at]; ok {
		return known.kind, known.content, nil
	}
	o := p.objects[at]
	if o == nil || depth > maxDeltaChain {
		return 0, nil, damaged("a change refers to nothing, or to too long a chain of changes")
	}
	if content, err = p.inflate(o); err != nil {
		return 0, nil, err
	}
	kind = o.kind
	if kind == offsetDelta || kind == nameDelta {
		baseAt := o.baseAt
		if kind == nameDelta {
			var known bool
			if baseAt, known = p.byName[o.baseName]; !known {
				return 0, nil, errNoBase
			}
		}
		var base []byte
		if kind, base, err = p.read(baseAt, depth+1); err != nil {
			return 0, nil, err
		}
		if content, err = applyDelta(base, content); err != nil {
			return 0, nil, err
		}
	}
	if p.work += int64(len(content)); p.work > maxWork {
		return 0, nil, errs.New(errs.TooLarge, "the repository takes too much work to unpack")
	}
	p.keep(at, kind, content)
	return kind, content, nil
}

// keep remembers an object that others may be changes of.
func (p *pack) keep(at int64, kind int, content []byte) {
	if len(content) > maxCached/4 {
		return
	}
	if p.cached+len(content) > maxCached {
		clear(p.cache)
		p.cached = 0
	}
	p.cache[at] = cached{kind, content}
	p.cached += len(content)
}

// applyDelta applies a change: copies from the base and new bytes.
func applyDelta(base, delta []byte) ([]byte, error) {
	in := bytes.NewReader(delta)
	baseSize, err := binary.ReadUvarint(in)
	if err != nil || baseSize != uint64(len(base)) {
		return nil, damaged("a change does not fit what it changes")
	}
	size, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, damaged("a change has no size")
	}
	if size > maxObjectBytes {
		return nil, errs.New(errs.TooLarge, "a file in the repository has %d bytes; at most %d are taken", size,
			maxObjectBytes)
	}
	out := make([]byte, 0, min(size, uint64(len(base)+len(delta))))
	for in.Len() > 0 {
		command, _ := in.ReadByte()
		if command == 0 {
			return nil, damaged("a change holds an unknown command")
		}
		if command&0x80 == 0 {
			if int(command) > in.Len() {
				return nil, damaged("a change ends early")
			}
			start := len(delta) - in.Len()
			out = append(out, delta[start:start+int(command)]...)
			in.Seek(int64(command), io.SeekCurrent)
		} else {
			offset, length := copyRange(command, in)
			if offset+length > uint64(len(base)) {
				return nil, damaged("a change copies what is not there")
			}
			out = append(out, base[offset:offset+length]...)
		}
		if uint64(len(out)) > size {
			return nil, damaged("a change is longer than stated")
		}
	}
	if uint64(len(out)) != size {
		return nil, damaged("a change is shorter than stated")
	}
	return out, nil
}

// copyRange reads the arguments of a copy. Bytes that are missing count as zero, which copies what the caller refuses
// or nothing.
func copyRange(command byte, in *bytes.Reader) (offset, length uint64) {
	for bit := range 4 {
		if command&(1<<bit) != 0 {
			b, _ := in.ReadByte()
			offset |= uint64(b) << (8 * bit)
		}
	}
	for bit := range 3 {
		if command&(1<<(4+bit)) != 0 {
			b, _ := in.ReadByte()
			length |= uint64(b) << (8 * bit)
		}
	}
	if length == 0 {
		length = 0x10000
	}
	return offset, length
}
