//go:build unix && !solaris && !aix

package folder

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file for as long as it is open.
func lockFile(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errLocked
		}
		return err
	}
}
