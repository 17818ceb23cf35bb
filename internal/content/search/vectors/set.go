package vectors

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
)

// Vector is a direction, quantised: a byte for each dimension, and what a byte of one stands for.
type Vector struct {
	bytes []int8
	scale float32
}

// quantised returns the direction of some numbers, which have one.
func quantised(numbers []float32) Vector {
	sum, most := 0.0, 0.0
	for _, number := range numbers {
		sum += float64(number) * float64(number)
		most = max(most, math.Abs(float64(number)))
	}
	made := Vector{make([]int8, len(numbers)), float32(most / 127 / math.Sqrt(sum))}
	for i, number := range numbers {
		made.bytes[i] = int8(math.Round(float64(number) / most * 127))
	}
	return made
}

// similarity is the cosine of the angle between two directions of the same number of dimensions.
func similarity(a, b Vector) float32 {
	x, y := a.bytes, b.bytes[:len(a.bytes)]
	var first, second, third, fourth int32
	for len(x) >= 8 && len(y) >= 8 {
		first += int32(x[0])*int32(y[0]) + int32(x[4])*int32(y[4])
		second += int32(x[1])*int32(y[1]) + int32(x[5])*int32(y[5])
		third += int32(x[2])*int32(y[2]) + int32(x[6])*int32(y[6])
		fourth += int32(x[3])*int32(y[3]) + int32(x[7])*int32(y[7])
		x, y = x[8:], y[8:]
	}
	for i := range x {
		first += int32(x[i]) * int32(y[i])
	}
	return float32(first+second+third+fourth) * a.scale * b.scale
}

// The file of a set has a head and then records of one length: the hash of a passage, the scale and the bytes of its
// vector, and a checksum.
const (
	fileMagic  = "recto vectors 1\n"
	headBytes  = len(fileMagic) + sha256.Size + 4
	recordRest = len(Hash{}) + 4 + crc32.Size
)

// chunkVectors is how many vectors are kept in one piece of memory.
const chunkVectors = 1024

// errDimensions says that vectors have another number of dimensions than those that are there.
var errDimensions = errors.New("the vectors have another number of dimensions")

// set are the vectors of the passages of one space by one model: in a file, and in memory. What was added stays as it
// is. It is safe for concurrent use.
type set struct {
	path  string
	model [sha256.Size]byte

	mu         sync.RWMutex
	dimensions int // 0 until there is a vector
	chunks     [][]int8
	scales     []float32
	rows       map[Hash]int32
}

// openSet reads a set from its file. What was written by halves, or for another model, is not there.
func openSet(path, model string) (*set, error) {
	s := &set{path: path, model: sha256.Sum256([]byte(model)), rows: map[Hash]int32{}}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the vectors: %w", err)
	}
	sound, err := s.read(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read the vectors: %w", err)
	}
	if sound == 0 {
		err = os.Remove(path)
	} else {
		err = os.Truncate(path, sound)
	}
	if err != nil {
		return nil, fmt.Errorf("remove vectors that are of no use: %w", err)
	}
	return s, nil
}

// read fills an empty set, and returns how many bytes of the file are sound.
func (s *set) read(from io.Reader) (sound int64, err error) {
	in := bufio.NewReaderSize(from, 1<<20)
	head := make([]byte, headBytes)
	if _, err := io.ReadFull(in, head); err != nil {
		return 0, unlessEnd(err)
	}
	dimensions := int(binary.LittleEndian.Uint32(head[headBytes-4:]))
	if !bytes.Equal(head[:headBytes-4], s.head()) || dimensions < 1 || dimensions > 1<<16 {
		return 0, nil
	}
	s.dimensions = dimensions
	record := make([]byte, recordRest+dimensions)
	for sound = int64(headBytes); ; sound += int64(len(record)) {
		if _, err := io.ReadFull(in, record); err != nil {
			return sound, unlessEnd(err)
		}
		body, sum := record[:len(record)-crc32.Size], record[len(record)-crc32.Size:]
		if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(sum) {
			return sound, nil
		}
		hash := Hash(body[:len(Hash{})])
		vector := Vector{make([]int8, dimensions), math.Float32frombits(binary.LittleEndian.Uint32(body[len(hash):]))}
		for i, each := range body[len(hash)+4:] {
			vector.bytes[i] = int8(each)
		}
		s.keep(hash, vector)
	}
}

// unlessEnd takes the end of a file for no error, wherever it is.
func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// head is how a file begins, but for the number of dimensions.
func (s *set) head() []byte { return append([]byte(fileMagic), s.model[:]...) }

// keep puts a vector into memory. The caller holds s.mu, or is the only one who knows the set.
func (s *set) keep(hash Hash, vector Vector) {
	if _, known := s.rows[hash]; known {
		return
	}
	row := len(s.scales)
	if row%chunkVectors == 0 {
		s.chunks = append(s.chunks, make([]int8, chunkVectors*s.dimensions))
	}
	copy(s.chunks[row/chunkVectors][row%chunkVectors*s.dimensions:], vector.bytes)
	s.scales = append(s.scales, vector.scale)
	s.rows[hash] = int32(row)
}

// add keeps the vectors of passages, in the file and then in memory. It is errDimensions for vectors that do not fit
// those that are there.
func (s *set) add(hashes []Hash, vectors []Vector) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(vectors) == 0 {
		return nil
	}
	if s.dimensions != 0 && len(vectors[0].bytes) != s.dimensions {
		return errDimensions
	}
	fresh := s.dimensions == 0
	s.dimensions = len(vectors[0].bytes)
	var written bytes.Buffer
	if fresh {
		written.Write(binary.LittleEndian.AppendUint32(s.head(), uint32(s.dimensions)))
	}
	for i, vector := range vectors {
		if _, known := s.rows[hashes[i]]; known {
			continue
		}
		record := append(hashes[i][:], make([]byte, 4)...)
		binary.LittleEndian.PutUint32(record[len(hashes[i]):], math.Float32bits(vector.scale))
		for _, each := range vector.bytes {
			record = append(record, byte(each))
		}
		written.Write(binary.LittleEndian.AppendUint32(record, crc32.ChecksumIEEE(record)))
	}
	if err := appendTo(s.path, written.Bytes(), fresh); err != nil {
		if fresh {
			s.dimensions = 0
		}
		return fmt.Errorf("write the vectors: %w", err)
	}
	for i, vector := range vectors {
		s.keep(hashes[i], vector)
	}
	return nil
}

// appendTo writes behind what a file has, or a file anew.
func appendTo(path string, content []byte, fresh bool) error {
	mode := os.O_WRONLY | os.O_APPEND | os.O_CREATE
	if fresh {
		mode |= os.O_TRUNC
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(path, mode, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

// row returns where the vector of a passage is, -1 when it has none.
func (s *set) row(hash Hash) int32 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if row, ok := s.rows[hash]; ok {
		return row
	}
	return -1
}

// len is how many vectors there are.
func (s *set) len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.scales)
}

// held are the vectors of a set at one moment.
type held struct {
	chunks     [][]int8
	scales     []float32
	dimensions int
}

// now returns the vectors that there are now.
func (s *set) now() held {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return held{s.chunks, s.scales, s.dimensions}
}

// at returns the vector in a row; ok is false for none, or one that came later.
func (h held) at(row int32) (vector Vector, ok bool) {
	if row < 0 || int(row) >= len(h.scales) {
		return Vector{}, false
	}
	first := int(row) % chunkVectors * h.dimensions
	return Vector{h.chunks[row/chunkVectors][first : first+h.dimensions], h.scales[row]}, true
}

// without makes a set of those vectors of this one that are in some rows, in the place of this one's file. It is not
// to be added to any more.
func (s *set) without(used map[int32]bool) (*set, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	made := &set{path: s.path + NewFile, model: s.model, rows: map[Hash]int32{}}
	if err := os.RemoveAll(made.path); err != nil {
		return nil, err
	}
	var hashes []Hash
	var vectors []Vector
	flush := func() error {
		err := made.add(hashes, vectors)
		hashes, vectors = hashes[:0], vectors[:0]
		return err
	}
	for hash, row := range s.rows {
		if !used[row] {
			continue
		}
		first := int(row) % chunkVectors * s.dimensions
		hashes = append(hashes, hash)
		vectors = append(vectors, Vector{s.chunks[row/chunkVectors][first : first+s.dimensions], s.scales[row]})
		if len(hashes) == chunkVectors {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	var err error
	if made.dimensions == 0 {
		err = os.Remove(s.path)
	} else {
		err = os.Rename(made.path, s.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("replace the vectors: %w", err)
	}
	made.path = s.path
	return made, nil
}
