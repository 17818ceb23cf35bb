//go:build !unix || solaris || aix

package folder

import "os"

// lockFile does nothing: there a second server is not noticed.
func lockFile(*os.File) error { return nil }
