package merge_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/merge"
)

func TestBodyPartsCutBetweenBlocks(t *testing.T) {
	base := "# A\n\none\n\n- x\n- y\n\nlast\n"
	ours := "# A\n\none of mine\n\n- x\n- mine\n\nlast\n"
	theirs := "# A\n\none of main\n\n- x\n- main\n\nlast and more\n"
	parted := merge.BodyParts([]byte(base), []byte(ours), []byte(theirs))
	var got []string
	for _, part := range parted.Parts {
		if part.Conflict {
			got = append(got, part.Base+"|"+part.Ours+"|"+part.Theirs+"|"+part.Both)
		} else {
			got = append(got, part.Ours)
		}
	}
	want := []string{
		"# A\n\n",
		"one\n\n|one of mine\n\n|one of main\n\n|one of mine\n\none of main\n\n",
		"- x\n- y\n\n|- x\n- mine\n\n|- x\n- main\n\n|- x\n- mine\n- main\n\n",
		"last and more\n",
	}
	if strings.Join(got, "\x00") != strings.Join(want, "\x00") {
		t.Errorf("parts %q\nwant %q", got, want)
	}
	joined, err := parted.Join([]string{parted.Parts[1].Theirs, "1. another"})
	if want := "# A\n\none of main\n\n1. another\n\nlast and more\n"; err != nil || string(joined) != want {
		t.Errorf("joined %q, %v, want %q", joined, err, want)
	}
	if _, err := parted.Join([]string{"x"}); err == nil {
		t.Error("Join took one text for two parts")
	}
	for _, side := range []merge.Side{merge.Base, merge.Ours, merge.Theirs, merge.Both} {
		paragraphs := 1
		if side == merge.Both {
			paragraphs = 2
		}
		blocks, err := parted.Documents(side)
		if err != nil || len(blocks) != 4 || len(blocks[1]) != paragraphs || len(blocks[2]) != 1 {
			t.Errorf("documents of %s: %v, %v", side, blocks, err)
		}
	}
}

func TestBodyPartsJoinToWhatBodyMerges(t *testing.T) {
	for seed := range uint64(cases(t)) {
		base, ours, theirs := threeBodies(rand.New(rand.NewPCG(seed, 7)))
		parted := merge.BodyParts(base, ours, theirs)
		for _, side := range []merge.Side{merge.Ours, merge.Theirs, merge.Base} {
			var texts []string
			for _, part := range parted.Parts {
				if part.Conflict {
					texts = append(texts, part.Text(side))
				}
			}
			joined, err := parted.Join(texts)
			if err != nil {
				t.Fatal(err)
			}
			_, conflicts := merge.Body(base, ours, theirs)
			sides := make([]merge.Side, len(conflicts))
			for i := range sides {
				sides[i] = side
			}
			want, err := merge.SettleBody(base, ours, theirs, sides)
			if err != nil {
				t.Fatal(err)
			}
			if string(joined) != string(want) {
				t.Fatalf("seed %d, %s: joined\n%q\nwant\n%q\nof %q, %q, %q", seed, side, joined, want, base, ours,
					theirs)
			}
		}
	}
}

// threeBodies makes a text of a few blocks, and two that were made of it.
func threeBodies(r *rand.Rand) (base, ours, theirs []byte) {
	blocks := []string{"# Title", "one\ntwo", "- a\n- b\n- c", "```\ncode\n\nmore\n```", "> quote",
		"| a |\n| - |\n| b |",
		"three", "{% hint style=\"info\" %}\nmind\n{% endhint %}"}
	var text []string
	for range 3 + r.IntN(5) {
		text = append(text, pick(r, blocks...))
	}
	edited := func() []byte {
		copied := slices.Clone(text)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(copied))
			switch r.IntN(4) {
			case 0:
				copied[at] = pick(r, blocks...)
			case 1:
				copied[at] = strings.Replace(copied[at], pick(r, "o", "a", "e"), pick(r, "x", "yy"), 1)
			case 2:
				copied = slices.Insert(copied, at, pick(r, blocks...))
			case 3:
				if copied = slices.Delete(copied, at, at+1); len(copied) == 0 {
					copied = []string{"left"}
				}
			}
		}
		return []byte(strings.Join(copied, "\n\n") + "\n")
	}
	return []byte(strings.Join(text, "\n\n") + "\n"), edited(), edited()
}
