package client

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLogins(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made")
	logins := NewLogins(folder)
	if login, err := logins.Get("http://a"); err != nil || login.Token != "" {
		t.Fatalf("an empty folder has %v, %v", login, err)
	}
	for server, token := range map[string]string{"http://A.example:80/": "rct_a", "https://b.example": "rct_b"} {
		if err := logins.Set(server, Login{Token: token}); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(logins.Path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file is %v, %v; want mode 0600", info.Mode(), err)
	}
	if info, err := os.Stat(filepath.Dir(logins.Path())); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("the folder is %v, %v; want mode 0700", info.Mode(), err)
	}
	// One server's token is never sent to another one, which differs in scheme, host or port.
	for server, want := range map[string]string{"http://a.example:80": "rct_a", "https://b.example/": "rct_b",
		"http://b.example": "", "http://a.example": "", "https://a.example:80": "", "http://a.example:80.evil": ""} {
		if login, err := logins.Get(server); err != nil || login.Token != want {
			t.Errorf("%s has %q, %v; want %q", server, login.Token, err, want)
		}
	}
	if login, err := logins.Remove("https://b.example"); err != nil || login.Token != "rct_b" {
		t.Errorf("removed %v, %v", login, err)
	}
	if login, err := logins.Get("https://b.example"); err != nil || login.Token != "" {
		t.Errorf("after its removal there is %v, %v", login, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(logins.Path())); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	if err := os.Chmod(logins.Path(), 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := logins.Get("http://a.example:80"); err == nil {
		t.Error("a file that others can read is used")
	}
}
