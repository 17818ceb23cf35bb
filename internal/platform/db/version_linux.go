package db

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// indexVersion is the first number of the header, in the order of bytes of the machine.
const indexVersion = 3007000

// read maps the header at the first call, so that commands that never ask do not pay for it.
func (v *versions) read() (version DataVersion, ok bool) {
	v.open.Do(func() {
		// Without it every read asks the database, which is what happens elsewhere anyway.
		v.header, v.close, _ = mapHeader(v.path)
	})
	if v.header == nil {
		return DataVersion{}, false
	}
	for i := range version {
		version[i] = atomic.LoadUint64(&v.header[i])
	}
	for i := range version {
		// The copies differ while a commit is under way.
		if atomic.LoadUint64(&v.header[versionWords+i]) != version[i] {
			return DataVersion{}, false
		}
	}
	return version, true
}

// mapHeader maps the header of the database at path. It holds a connection open for as long: the file stays the same
// one while there is any, and would be replaced when the last one of all processes went.
func mapHeader(path string) (header *[2 * versionWords]uint64, done func() error, err error) {
	path, err = sqlitePath(path)
	if err != nil {
		return nil, nil, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, nil, err
	}
	pool, err := openSQLitePool(sqliteName(path, "deferred", "query_only(on)"))
	if err != nil {
		return nil, nil, err
	}
	holder, err := hold(pool)
	if err != nil {
		return nil, nil, errors.Join(err, pool.Close())
	}
	release := func() error { return errors.Join(holder.Close(), pool.Close()) }
	file, err := os.Open(path + "-shm")
	if err != nil {
		return nil, nil, errors.Join(err, release())
	}
	mapped, err := syscall.Mmap(int(file.Fd()), 0, os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, nil, errors.Join(err, release())
	}
	done = func() error { return errors.Join(syscall.Munmap(mapped), release()) }
	if *(*uint32)(unsafe.Pointer(&mapped[0])) != indexVersion {
		return nil, nil, errors.Join(errors.New("the index of the write-ahead log has an unknown form"), done())
	}
	return (*[2 * versionWords]uint64)(unsafe.Pointer(&mapped[0])), done, nil
}

// hold takes a connection out of a pool and makes it open the write-ahead log.
func hold(pool *sql.DB) (*sql.Conn, error) {
	ctx := context.Background()
	holder, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var tables int
	if err := holder.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return nil, errors.Join(err, holder.Close())
	}
	return holder, nil
}
