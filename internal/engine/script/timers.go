package script

import (
	"cmp"
	"slices"
	"time"
)

// timer is one of the script: when it is due, and what the layer calls it.
type timer struct {
	due time.Time
	id  int
}

// timers are in the order in which they are due, and in which they were set where that is the same.
type timers []timer

// set adds a timer.
func (t *timers) set(id int, due time.Time) {
	at, _ := slices.BinarySearchFunc(*t, timer{due, id}, func(a, b timer) int {
		return cmp.Or(a.due.Compare(b.due), cmp.Compare(a.id, b.id))
	})
	*t = slices.Insert(*t, at, timer{due, id})
}

// clear takes a timer away.
func (t *timers) clear(id int) {
	*t = slices.DeleteFunc(*t, func(each timer) bool { return each.id == id })
}

// pop takes the next timer that is due.
func (t *timers) pop(now time.Time) (id int, ok bool) {
	if len(*t) == 0 || (*t)[0].due.After(now) {
		return 0, false
	}
	id = (*t)[0].id
	*t = (*t)[1:]
	return id, true
}
