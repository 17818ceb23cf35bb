package db

import (
	"github.com/rectodocs/recto/internal/base/errs"
)

// awayMessage is what callers are told while the database cannot be reached; the cause goes to the log.
const awayMessage = "The server cannot reach its database at this moment. Try again in a few seconds."

// fullMessage is what they are told when it has no room.
const fullMessage = "The server has no room left to write. Reading goes on; tell whoever runs it."

// away makes an errs.Unavailable error of one that says that the database could not be reached, or could not write for
// lack of room, so that whoever asked is told to come back. It is the one place that decides so. Other errors stay as
// they are.
func away(err error) error {
	if err == nil || errs.Is(err, errs.Unavailable) {
		return err
	}
	switch conditionOf(err) {
	case awayCondition:
		return errs.Wrap(err, errs.Unavailable, awayMessage)
	case fullCondition:
		return errs.Wrap(err, errs.Unavailable, fullMessage)
	}
	return err
}
