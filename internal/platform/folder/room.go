package folder

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// MinimumFree is how much room a folder needs for a server to be ready, in bytes: enough for what is under way to be
// finished.
const MinimumFree = 64 << 20

// errUnknown is what freeSpace returns where the system does not tell.
var errUnknown = errors.New("the free space is not known")

// Room checks whether folders can be written to.
type Room struct {
	// Folders are looked at in order.
	Folders []string
	// Free returns how many bytes may be written to the file system of a folder; nil asks the system.
	Free func(folder string) (uint64, error)
}

// Check writes a small file into each folder and takes it away, and returns an error when that fails or when less than
// MinimumFree is left.
func (r Room) Check(ctx context.Context) error {
	free := r.Free
	if free == nil {
		free = freeSpace
	}
	for _, folder := range r.Folders {
		if err := ctx.Err(); err != nil {
			return err
		}
		left, err := free(folder)
		if err != nil && !errors.Is(err, errUnknown) {
			return fmt.Errorf("ask for the free space of %s: %w", folder, err)
		}
		if err == nil && left < MinimumFree {
			return fmt.Errorf("%s has %d MB left, and needs %d MB", folder, left>>20, MinimumFree>>20)
		}
		if err := probe(folder); err != nil {
			return fmt.Errorf("write to %s: %w", folder, err)
		}
	}
	return nil
}

// probe writes a file that lasts, and removes it.
func probe(folder string) error {
	file, err := os.CreateTemp(folder, ".probe-*")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, 4096))
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}
