package language

import "testing"

func TestFold(t *testing.T) {
	for word, want := range map[string]string{
		"Straße": "straße", "Überall": "uberall", "ＦＵＬＬ": "full", "한글": "한글", "が": "が", "plain": "plain",
	} {
		if got := string(Fold([]byte(word))); got != want {
			t.Errorf("Fold(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestStem(t *testing.T) {
	for _, test := range []struct{ language, word, want string }{
		{"en", "wrote", "write"}, {"en", "installing", "instal"}, {"de", "häuser", "haus"}, {"xx", "running", "run"},
	} {
		if got := StemmerOf(test.language).Stem(test.word); got != test.want {
			t.Errorf("the stem of %q in %s is %q, want %q", test.word, test.language, got, test.want)
		}
	}
}

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"This is the page that says how it is done.":                "en",
		"Das ist die Seite, auf der steht, wie man es nicht macht.": "de",
		"C'est la page qui dit comment on le fait dans les autres.": "fr",
		"1234 5678":  "en",
		"日本語のページです。": "en",
	} {
		if got := Of(text); got != want {
			t.Errorf("%q is in %s, want %s", text, got, want)
		}
	}
}

func TestStopWords(t *testing.T) {
	known := StopWords()
	if known["the"]&1 == 0 || known["der"]&2 == 0 || known["reboot"] != 0 {
		t.Errorf("the: %b, der: %b, reboot: %b", known["the"], known["der"], known["reboot"])
	}
}

func TestEverydayWords(t *testing.T) {
	for _, test := range []struct {
		word      string
		languages uint32
		want      bool
	}{
		{"thinking", 1, true}, {"thought", 1, true}, {"people", 1, true}, {"view", 1, false}, {"type", 1, false},
		{"zeigen", 2, true}, {"zeigen", 1, false}, {"montrer", 4, true}, {"mostrar", 8, true},
		{"people", 1 << 9, false},
	} {
		if got := IsEveryday(test.word, test.languages); got != test.want {
			t.Errorf("%q is everyday in %b: %t, want %t", test.word, test.languages, got, test.want)
		}
	}
	// What software has and does is what people look for.
	for _, word := range []string{"run", "open", "close", "read", "write", "key", "type", "true", "free", "move"} {
		if IsEveryday(word, ^uint32(0)) {
			t.Errorf("%q is everyday", word)
		}
	}
}
