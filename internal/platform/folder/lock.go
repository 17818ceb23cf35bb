// Package folder owns what a server has to know of its data folder on local disk: that no other server uses it, and
// whether there is room to write.
package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// lockName is the file in a data folder that its server holds locked. It says which process that is.
const lockName = "recto.lock"

// InUseError says that another process serves from a data folder.
type InUseError struct {
	// Folder is the absolute path, Process the id of the other process, "" when that is not known.
	Folder, Process string
}

// Error says what is wrong and how to mend it.
func (e *InUseError) Error() string {
	other := "another process"
	if e.Process != "" {
		other = "process " + e.Process
	}
	return fmt.Sprintf("the data folder %s is in use by another Recto server (%s). Stop that one, or give this one a "+
		"folder of its own with --data; "+
		"servers that share a PostgreSQL database and a store of files each have their own data folder", e.Folder,
		other)
}

// Lock is a data folder that belongs to this process. Its end by whatever means frees the folder.
type Lock struct{ file *os.File }

// errLocked is what lockFile returns for a file that another process has locked.
var errLocked = errors.New("locked by another process")

// Acquire makes a data folder this process's own. It returns an *InUseError at once when another process has it.
func Acquire(dir string) (*Lock, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if err := lockFile(file); err != nil {
		defer file.Close()
		if errors.Is(err, errLocked) {
			return nil, &InUseError{Folder: dir, Process: holder(file)}
		}
		return nil,
			fmt.Errorf("lock the data folder %s: its file system does not lock files; use a local disk for --data: %w",
				dir, err)
	}
	// The number is for people: without it the folder is locked all the same, also on a full disk.
	if err := file.Truncate(0); err == nil {
		_, _ = file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return &Lock{file}, nil
}

// Release frees the folder. The file stays: removing it could take it from under another process that waits for it.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}

// holder reads which process holds a lock.
func holder(file *os.File) string {
	content := make([]byte, 32)
	n, _ := file.ReadAt(content, 0)
	process := strings.TrimSpace(string(content[:n]))
	if _, err := strconv.Atoi(process); err != nil {
		return ""
	}
	return process
}
