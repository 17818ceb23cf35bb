package edition

import "testing"

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b  string
		limit int
		want  bool
	}{
		{"install", "instal", 1, true}, {"install", "isntall", 1, false}, {"install", "isntall", 2, true},
		{"", "", 0, true}, {"a", "", 1, true}, {"abc", "xyz", 2, false},
		{"konfigurieren", "konfiguriren", 1, true}, {"naïve", "naive", 1, true},
	}
	for _, tt := range tests {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := distanceWithin([]rune(pair[0]), []rune(pair[1]), tt.limit); got != tt.want {
				t.Errorf("distanceWithin(%q, %q, %d) = %v", pair[0], pair[1], tt.limit, got)
			}
		}
	}
}
