//go:build !linux

package app

// dropProgramPages does nothing: only Linux says which pages are the program's.
func dropProgramPages() {}
