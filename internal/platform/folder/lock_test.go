package folder_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/platform/folder"
)

// TestMain lets the test binary play another process: it locks the folder in its environment and waits to be ended, or
// checks one in which it may write nothing.
func TestMain(m *testing.M) {
	if dir := os.Getenv("RECTO_TEST_LOCK"); dir != "" {
		if _, err := folder.Acquire(dir); err != nil {
			os.Stdout.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Stdout.WriteString("locked\n")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		os.Exit(0)
	}
	if dir := os.Getenv("RECTO_TEST_ROOM"); dir != "" {
		checkWithoutRoom(dir)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestLockNamesTheFolderAndTheProcess holds that a folder has one server, that the second one is told which folder and
// which process, and that the folder is free when the first one was killed.
func TestLockNamesTheFolderAndTheProcess(t *testing.T) {
	dir := t.TempDir()
	other := exec.CommandContext(t.Context(), os.Args[0])
	other.Env = append(os.Environ(), "RECTO_TEST_LOCK="+dir)
	if _, err := other.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil || line != "locked\n" {
		t.Fatalf("%q, %v", line, err)
	}

	_, err = folder.Acquire(dir)
	inUse, ok := errors.AsType[*folder.InUseError](err)
	process := strconv.Itoa(other.Process.Pid)
	if !ok || inUse.Folder != dir || inUse.Process != process || !strings.Contains(err.Error(), dir) ||
		!strings.Contains(err.Error(), "process "+process) {
		t.Errorf("locked twice: %v", err)
	}
	if _, err := folder.Acquire(t.TempDir()); err != nil {
		t.Errorf("another folder: %v", err)
	}

	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait()
	lock, err := folder.Acquire(dir)
	if err != nil {
		t.Fatalf("after the other process was killed: %v", err)
	}
	if _, err := folder.Acquire(dir); err == nil {
		t.Error("one process has the folder twice")
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if lock, err = folder.Acquire(dir); err != nil {
		t.Fatalf("after the release: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}
