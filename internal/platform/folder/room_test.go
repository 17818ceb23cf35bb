package folder_test

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rectodocs/recto/internal/platform/folder"
)

// checkWithoutRoom is what the test binary does as another process: it may write no byte to any file.
func checkWithoutRoom(dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{}); err != nil {
		os.Stdout.WriteString(err.Error())
		os.Exit(2)
	}
	if err := (folder.Room{Folders: []string{dir}}).Check(context.Background()); err != nil {
		os.Stdout.WriteString(err.Error())
		os.Exit(1)
	}
}

// TestRoom holds that a folder is found wanting when its disk is nearly full, when it takes no byte, and when it is not
// there; and that nothing is left in it.
func TestRoom(t *testing.T) {
	dir := t.TempDir()
	left := uint64(folder.MinimumFree)
	room := folder.Room{Folders: []string{dir}, Free: func(asked string) (uint64, error) {
		if asked != dir {
			t.Errorf("asked for %s", asked)
		}
		return left, nil
	}}
	if err := room.Check(t.Context()); err != nil {
		t.Errorf("just enough: %v", err)
	}
	left--
	if err := room.Check(t.Context()); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a byte too few: %v", err)
	}
	left = 0
	if err := room.Check(t.Context()); err == nil {
		t.Error("a full disk passes")
	}
	if err := (folder.Room{Folders: []string{dir}}).Check(t.Context()); err != nil {
		t.Errorf("as the system has it: %v", err)
	}
	if err := (folder.Room{Folders: []string{dir, filepath.Join(dir, "none")}}).Check(t.Context()); err == nil {
		t.Error("a folder that is not there passes")
	}
	other := exec.CommandContext(t.Context(), os.Args[0])
	other.Env = append(os.Environ(), "RECTO_TEST_ROOM="+dir)
	if output, err := other.CombinedOutput(); err == nil || other.ProcessState.ExitCode() != 1 ||
		!strings.Contains(string(output), "write to "+dir) {
		t.Errorf("a disk that takes no byte: %s, %v", output, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the checks left %v, %v", entries, err)
	}
}
