package db

import "sync"

// DataVersion is a value that every commit changes, whichever process makes it. It says nothing else: two are equal or
// not.
type DataVersion = [versionWords]uint64

// versionWords is the size of SQLite's header of the index of its write-ahead log, 48 bytes.
const versionWords = 6

// DataVersion returns the version of all data without asking the database: whoever knows an answer that was looked for
// after some version was read knows that it still holds while the version is the same. ok is false when the database
// cannot say so: PostgreSQL never can, SQLite on Linux can unless a commit is just being made.
func (d *DB) DataVersion() (version DataVersion, ok bool) {
	if d.versions == nil {
		return DataVersion{}, false
	}
	return d.versions.read()
}

// versions reads the header of the index of SQLite's write-ahead log, which all processes on the database share in
// memory. A commit writes it last: two copies, with a counter and checksums (sqlite.org/walformat.html §2.1).
type versions struct {
	path string
	open sync.Once
	// header is mapped read-only; nil when it cannot be.
	header *[2 * versionWords]uint64
	close  func() error
}

// done gives back what read took. It must not run beside read.
func (v *versions) done() error {
	if v == nil || v.close == nil {
		return nil
	}
	v.header = nil
	return v.close()
}
