package wire

import (
	"time"
)

// timeFormat is how every time appears: RFC 3339, UTC, milliseconds.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// Timestamp formats a time for the wire.
func Timestamp(t time.Time) string { return t.UTC().Format(timeFormat) }

// MicroTimestamp formats microseconds since 1970, and gives "" for none.
func MicroTimestamp(micros int64) string {
	if micros == 0 {
		return ""
	}
	return Timestamp(time.UnixMicro(micros))
}

// OptionalTimestamp is timestamp for a time that may be missing: "" then.
func OptionalTimestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return Timestamp(t)
}
