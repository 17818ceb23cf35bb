package config

import (
	"os"
	"path/filepath"
	"runtime"
)

// DemoFolder returns the folder for the data of a demo: in the folder for the data of programs of the user who runs the
// program, as the XDG Base Directory Specification and the habits of other systems have it, and ./data when there is
// none. getenv reads variables of the environment.
func DemoFolder(getenv func(string) string) string {
	const program, demo = "recto", "demo"
	if folder := getenv("XDG_DATA_HOME"); filepath.IsAbs(folder) {
		return filepath.Join(folder, program, demo)
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		if folder, err := os.UserConfigDir(); err == nil {
			return filepath.Join(folder, program, demo)
		}
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share", program, demo)
	}
	return "data"
}
