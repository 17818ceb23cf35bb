package dispatch

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/script"
)

// fake is an engine of a size.
type fake struct {
	size   int64
	broken error
	closed bool
}

func (f *fake) Broken() error { return f.broken }
func (f *fake) Close()        { f.closed = true }
func (f *fake) Size() int64   { return f.size }

// TestHeavyEnginesMakeRoomThemselves holds that the engines of one organization, however many and large, cost others
// none of theirs, and that all together stay within bounds.
func TestHeavyEnginesMakeRoomThemselves(t *testing.T) {
	const mb = 1 << 20
	p := newPool[*fake]()
	put := func(organization id.Organization, installation string, size int64) *fake {
		made := &fake{size: size}
		p.put(made, key{"script", installation}, organization)
		if count, bytes := p.taken(nil); count > maxIdle || bytes > maxIdleBytes {
			t.Fatalf("%d engines wait with %d MB", count, bytes/mb)
		}
		return made
	}
	var others []*fake
	for i := range 10 {
		name := id.Organization(fmt.Sprintf("small%d", i))
		others = append(others, put(name, string(name), 3*mb))
	}
	// One that is too large for the share of its organization does not wait, and costs not even its own a place.
	own := put("heavy", "one", 40*mb)
	if huge := put("heavy", "two", 100*mb); !huge.closed || own.closed {
		t.Errorf("the huge one is closed: %v, the other of its organization: %v", huge.closed, own.closed)
	}
	for i := range 50 {
		put("heavy", fmt.Sprint("heavy", i), 30*mb)
	}
	for i := range 50 {
		put("many", fmt.Sprint("many", i), mb)
	}
	for n, each := range others {
		if each.closed {
			t.Errorf("the engine of organization %d was pushed out", n)
		}
	}
	if !own.closed {
		t.Error("the first of the heavy ones still waits")
	}
	if w, ok := p.take(key{"script", "small3"}); !ok || w != others[3] {
		t.Error("an engine that waits is not found")
	}
	// Many organizations share what there is; the ones with most give first.
	for i := range 8 {
		for j := range 2 {
			put(id.Organization(fmt.Sprintf("large%d", i)), fmt.Sprint("large", i, j), 24*mb)
		}
	}
	kept := 0
	for _, each := range others {
		if !each.closed {
			kept++
		}
	}
	if kept != len(others) {
		t.Errorf("%d of %d small engines are left", kept, len(others))
	}
	// Of one installation, two wait; what is broken does not.
	first := put("same", "same", mb)
	put("same", "same", mb)
	put("same", "same", mb)
	if !first.closed {
		t.Error("three engines of one installation wait")
	}
	broken := &fake{broken: errors.New("broken")}
	p.put(broken, key{}, "same")
	if !broken.closed {
		t.Error("a broken engine waits")
	}
	p.close()
	late := put("late", "late", mb)
	if count, _ := p.taken(nil); count > 0 || !late.closed {
		t.Errorf("%d engines wait in a closed pool", count)
	}
}

// TestEnginesWaitForAWhile holds that nobody keeps what is not used.
func TestEnginesWaitForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool[*fake]()
		one, two := &fake{}, &fake{}
		p.put(one, key{"a", "a"}, "a")
		time.Sleep(idleTime - time.Second)
		p.put(two, key{"b", "b"}, "b")
		time.Sleep(2 * time.Second)
		p.sweep()
		if !one.closed || two.closed {
			t.Errorf("closed: %v, %v", one.closed, two.closed)
		}
	})
}

// TestEnginesSayHowLargeTheyAre holds that what a script keeps counts.
func TestEnginesSayHowLargeTheyAre(t *testing.T) {
	sizeOf := func(source string) int64 {
		program, err := script.Compile(source, script.V2)
		if err != nil {
			t.Fatal(err)
		}
		instance, err := program.Start(t.Context(), script.Host{}, script.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		defer instance.Close()
		return instance.Size()
	}
	plain := sizeOf(`export default { fetch() {} };`)
	heavy := sizeOf(`const kept = new Uint8Array(20 << 20); export default { fetch() { return kept; } };`)
	if plain < 100<<10 || plain > 10<<20 || heavy < plain+20<<20 || heavy > 64<<20 {
		t.Errorf("a plain engine has %d bytes, one with 20 MB more %d", plain, heavy)
	}
}
