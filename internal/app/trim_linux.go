package app

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// dropProgramPages tells the kernel that the pages of the program itself, which are those of its file, need not be
// mapped: they count as resident until memory is short. The kernel maps them again from its cache when they are used.
// Parts that the program may write to stay.
func dropProgramPages() {
	program, err := os.Executable()
	if err != nil {
		return // they stay resident, as they were
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(maps)) {
		if from, to, ok := readOnlyPart(line, program); ok {
			// What it refuses stays mapped.
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED)
		}
	}
}

// readOnlyPart returns the addresses of a line of /proc/self/maps; ok is false unless it is of the program's file and
// nobody can write to it. The format is that of proc_pid_maps(5).
func readOnlyPart(line, program string) (from, to uintptr, ok bool) {
	var (
		rights, device, file string
		offset, inode        uint64
	)
	_, err := fmt.Sscanf(line, "%x-%x %s %x %s %d %s", &from, &to, &rights, &offset, &device, &inode, &file)
	return from, to, err == nil && file == program && len(rights) == 4 && rights[1] == '-' && rights[3] == 'p'
}
