package source

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// textsInMemory is how many bytes of texts are kept in memory before they go to a file.
const textsInMemory = 1 << 20

// Texts keeps what an import has read but does not need at the moment, the bodies of its pages above all: a little in
// memory, more in a temporary file. It is safe for concurrent use. The zero value is ready.
//
// A failure to write stays with the Texts: every Text that is kept afterwards fails with it when it is read.
type Texts struct {
	// Dir is where the temporary file goes; "" means the system's folder for such files.
	Dir string

	mutex   sync.Mutex
	file    *os.File
	pending []byte // behind what is in the file
	written int64  // bytes in the file
	failed  error
}

// Text is a text that Texts keeps. The zero value is the empty text.
type Text struct {
	texts *Texts
	at    int64
	size  int
}

// Keep takes a copy of a text.
func (t *Texts) Keep(text []byte) Text {
	if len(text) == 0 {
		return Text{}
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	kept := Text{texts: t, at: t.written + int64(len(t.pending)), size: len(text)}
	t.pending = append(t.pending, text...)
	if len(t.pending) >= textsInMemory && t.failed == nil {
		t.failed = t.flush()
	}
	return kept
}

// flush moves what is in memory to the file.
func (t *Texts) flush() error {
	if t.file == nil {
		file, err := os.CreateTemp(t.Dir, "recto-import-*")
		if err != nil {
			return fmt.Errorf("make a file for texts: %w", err)
		}
		t.file = file
		// Without a name it is gone with the process. Where a file in use keeps its name, Close removes it.
		_ = os.Remove(file.Name())
	}
	n, err := t.file.WriteAt(t.pending, t.written)
	if err != nil {
		return fmt.Errorf("write texts to a file: %w", err)
	}
	t.written += int64(n)
	t.pending = t.pending[:0]
	return nil
}

// Len is the number of bytes.
func (t Text) Len() int { return t.size }

// String returns the text, or what keeps it from being read: for tests and for the eye.
func (t Text) String() string {
	text, err := t.Bytes()
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Bytes returns the text, which is the caller's.
func (t Text) Bytes() ([]byte, error) {
	if t.size == 0 {
		return nil, nil
	}
	text := make([]byte, t.size)
	t.texts.mutex.Lock()
	failed, file, inFile := t.texts.failed, t.texts.file, t.at < t.texts.written
	if !inFile && failed == nil {
		copy(text, t.texts.pending[t.at-t.texts.written:])
	}
	t.texts.mutex.Unlock()
	switch {
	case failed != nil:
		return nil, failed
	case !inFile:
		return text, nil
	}
	if _, err := file.ReadAt(text, t.at); err != nil {
		return nil, fmt.Errorf("read a text: %w", err)
	}
	return text, nil
}

// Close removes what was kept. No Text may be read afterwards.
func (t *Texts) Close() error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.pending = nil
	if t.failed == nil {
		t.failed = errors.New("the texts of the import are closed")
	}
	if t.file == nil {
		return nil
	}
	err := t.file.Close()
	if removing := os.Remove(t.file.Name()); removing != nil && !errors.Is(removing, os.ErrNotExist) {
		err = errors.Join(err, removing)
	}
	t.file = nil
	return err
}
