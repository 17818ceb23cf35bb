package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// packed packs the binary that RECTO_BINARY names, for this machine, and returns the folder.
func packed(t *testing.T, out string) string {
	t.Helper()
	binary := os.Getenv("RECTO_BINARY")
	if binary == "" {
		t.Fatal("RECTO_BINARY must name the built program; make test-release sets it")
	}
	binaries := t.TempDir()
	if err := os.Mkdir(filepath.Join(binaries, "linux-"+runtime.GOARCH), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(binaries, "linux-"+runtime.GOARCH, "recto")); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Abs("files")
	if err != nil {
		t.Fatal(err)
	}
	r := release{version: "0.0.1", binaries: binaries, files: files, license: "../LICENSE", host: binary, out: out,
		at: time.Unix(1700000000, 0).UTC()}
	if err := r.pack([]string{"linux-" + runtime.GOARCH}); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRelease packs once, and then looks at each part: the bytes are the same a second time, the image is whole, the
// list of modules names some, and the package comes and goes.
func TestRelease(t *testing.T) {
	out := packed(t, filepath.Join(t.TempDir(), "a"))
	t.Run("reproducible", func(t *testing.T) {
		again := packed(t, filepath.Join(t.TempDir(), "b"))
		first, second := read(t, filepath.Join(out, "SHA256SUMS")), read(t, filepath.Join(again, "SHA256SUMS"))
		if !bytes.Equal(first, second) {
			t.Errorf("a second time the sums are\n%s, not\n%s", second, first)
		}
		if lines := bytes.Count(first, []byte("\n")); lines != 5 {
			t.Errorf("there are %d files:\n%s", lines, first)
		}
		check := exec.Command("sha256sum", "-c", "SHA256SUMS")
		check.Dir = out
		if said, err := check.CombinedOutput(); err != nil {
			t.Errorf("sha256sum: %v\n%s", err, said)
		}
	})
	t.Run("image", func(t *testing.T) { checkImage(t, filepath.Join(out, "recto_0.0.1_oci.tar")) })
	t.Run("modules", func(t *testing.T) {
		var list struct {
			Format     string `json:"bomFormat"`
			Components []struct{ Name, PURL string }
		}
		raw := read(t, filepath.Join(out, "recto_0.0.1_linux-"+runtime.GOARCH+".cdx.json"))
		if err := json.Unmarshal(raw, &list); err != nil || list.Format != "CycloneDX" || len(list.Components) < 50 {
			t.Errorf("the list has %d modules, %v", len(list.Components), err)
		}
	})
	t.Run("package", func(t *testing.T) { checkPackage(t, filepath.Join(out, "recto_0.0.1_"+runtime.GOARCH+".deb")) })
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// checkImage reads the image as a container engine would.
func checkImage(t *testing.T, path string) {
	folder := t.TempDir()
	archive := tar.NewReader(bytes.NewReader(read(t, path)))
	for {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(folder, header.Name)
		if header.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(name, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	top, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := top.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("the layout has %v, %v; want one index", manifest, err)
	}
	index, err := top.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Errorf("the image is not whole: %v", err)
	}
	platforms, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if at := platforms.Manifests[0].Platform; at == nil || at.OS != "linux" || at.Architecture != runtime.GOARCH {
		t.Errorf("the platform is %v", at)
	}
	image, err := index.Image(platforms.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Config.User != "65532:65532" || config.Config.Entrypoint[0] != "/usr/bin/recto" {
		t.Errorf("the configuration is %+v", config.Config)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("there are %d layers, %v", len(layers), err)
	}
	content, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	found, entries := map[string]*tar.Header{}, tar.NewReader(content)
	for {
		header, err := entries.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		found[header.Name] = header
	}
	if data := found["data/"]; data == nil || data.Uid != 65532 || data.Mode != 0o750 {
		t.Errorf("the data folder is %+v", data)
	}
	if program := found["usr/bin/recto"]; program == nil || program.Mode != 0o755 {
		t.Errorf("the program is %+v", program)
	}
	if roots := found["etc/ssl/certs/ca-certificates.crt"]; roots == nil || roots.Size < 100_000 {
		t.Errorf("the roots are %+v", roots)
	}
}

// checkPackage looks at the files in the package. For root, on a machine without Recto, it also installs it, runs what
// its unit runs as the unit's user, purges it, and finds nothing left.
func checkPackage(t *testing.T, path string) {
	left := []string{"/usr/bin/recto", "/etc/recto", "/usr/lib/systemd/system/recto.service",
		"/usr/share/man/man1/recto.1.gz", "/usr/share/bash-completion/completions/recto", "/usr/share/doc/recto"}
	folder := t.TempDir()
	if out, err := exec.Command("dpkg-deb", "-x", path, folder).CombinedOutput(); err != nil {
		t.Fatalf("dpkg-deb: %v\n%s", err, out)
	}
	there := false
	for _, each := range left {
		if _, err := os.Lstat(folder + each); err != nil {
			t.Errorf("the package has no %s", each)
		}
		if _, err := os.Lstat(each); err == nil {
			there = true
		}
	}
	left = append(left, "/var/lib/recto")
	if _, err := os.Lstat("/var/lib/recto"); err == nil || there || os.Getuid() != 0 {
		t.Log("only the files are looked at: Recto is installed here, or the test does not run as root")
		return
	}
	dpkg(t, "--force-depends", "-i", path)
	t.Cleanup(func() { _ = exec.Command("dpkg", "--purge", "recto").Run() })

	unit := string(read(t, "/usr/lib/systemd/system/recto.service"))
	var line string
	for each := range strings.Lines(unit) {
		if command, ok := strings.CutPrefix(each, "ExecStart="); ok {
			line = strings.TrimSpace(command)
		}
	}
	if !strings.Contains(unit, "User=recto\n") || line == "" {
		t.Fatalf("the unit is\n%s", unit)
	}
	address := free(t)
	args := []string{"--reuid=recto", "--regid=recto", "--clear-groups", "--no-new-privs", "--inh-caps=-all", "env", "-i",
		"RECTO_LISTEN=" + address}
	server := exec.Command("setpriv", append(args, strings.Fields(line)...)...)
	var said bytes.Buffer
	server.Dir, server.Stdout, server.Stderr = "/", &said, &said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		response, err := http.Get("http://" + address + "/readyz")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				break
			}
		}
		if len(ended) > 0 || time.Now().After(deadline) {
			_ = server.Process.Kill()
			t.Fatalf("the server does not answer: %v\n%s", err, said.String())
		}
	}
	info, err := os.Stat("/var/lib/recto/recto.db")
	if err != nil || info.Sys().(*syscall.Stat_t).Uid == 0 {
		t.Errorf("the database is %v, %v; want one of the unit's user", info, err)
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v\n%s", err, said.String())
	}

	// What is removed and not purged keeps its data and settings.
	dpkg(t, "--remove", "recto")
	for _, each := range []string{"/etc/recto/recto.yaml", "/var/lib/recto/recto.db"} {
		if _, err := os.Stat(each); err != nil {
			t.Errorf("after the removal: %v", err)
		}
	}
	dpkg(t, "--purge", "recto")
	for _, each := range left {
		if _, err := os.Lstat(each); err == nil {
			t.Errorf("%s is left behind", each)
		}
	}
	if exec.Command("getent", "passwd", "recto").Run() == nil {
		t.Error("the user is left behind")
	}
}

func dpkg(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("dpkg", args...).CombinedOutput(); err != nil {
		t.Fatalf("dpkg %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// free returns an address of this machine where nothing listens.
func free(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return fmt.Sprint(listener.Addr())
}
