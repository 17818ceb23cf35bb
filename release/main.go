// Command release packs built binaries for people who do not build: archives, Debian packages, an OCI image and the
// sums of them. The same input gives the same bytes.
//
// It is a module of its own, so that what packs is no dependency of what is packed.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// release is what is packed.
type release struct {
	version string
	// binaries is a folder with OS-ARCH/recto for each platform.
	binaries string
	// files is the folder with the unit and the scripts, license the text of the license.
	files, license string
	// host is a binary that runs here; it writes the manual pages and completions.
	host string
	out  string
	// at is the time that everything carries.
	at time.Time
}

func main() {
	var r release
	epoch := flag.Int64("epoch", 0, "time that everything carries, in seconds since 1970")
	platforms := flag.String("platforms", "linux-amd64,linux-arm64,darwin-amd64,darwin-arm64", "what to pack")
	flag.StringVar(&r.version, "version", "", "version of the release, such as 1.2.0")
	flag.StringVar(&r.binaries, "binaries", "", "folder with OS-ARCH/recto")
	flag.StringVar(&r.files, "files", "files", "folder with the unit and the scripts")
	flag.StringVar(&r.license, "license", "../LICENSE", "text of the license")
	flag.StringVar(&r.host, "host", "", "binary that runs here")
	flag.StringVar(&r.out, "out", "", "new folder to write to")
	flag.Parse()
	r.at = time.Unix(*epoch, 0).UTC()
	if err := r.pack(strings.Split(*platforms, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// pack writes everything.
func (r release) pack(platforms []string) error {
	if r.version == "" || r.binaries == "" || r.host == "" || r.out == "" {
		return errors.New("-version, -binaries, -host and -out are needed")
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	extras, err := os.MkdirTemp("", "recto-release-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(extras)
	if err := r.writeExtras(extras); err != nil {
		return err
	}
	var images []string
	for _, platform := range platforms {
		if err := r.archive(platform, extras); err != nil {
			return fmt.Errorf("pack the archive for %s: %w", platform, err)
		}
		if arch, ok := strings.CutPrefix(platform, "linux-"); ok {
			if err := r.debian(arch, extras); err != nil {
				return fmt.Errorf("make the package for %s: %w", arch, err)
			}
			images = append(images, arch)
		}
		if err := r.sbom(platform); err != nil {
			return fmt.Errorf("list what is inside for %s: %w", platform, err)
		}
	}
	if err := r.image(images); err != nil {
		return fmt.Errorf("make the image: %w", err)
	}
	compose, err := os.ReadFile(filepath.Join(r.files, "compose.yaml"))
	if err != nil {
		return fmt.Errorf("read the Compose file: %w", err)
	}
	if err := os.WriteFile(filepath.Join(r.out, "compose.yaml"), compose, 0o644); err != nil {
		return fmt.Errorf("write the Compose file: %w", err)
	}
	return r.sums()
}

func (r release) binary(platform string) string { return filepath.Join(r.binaries, platform, "recto") }

// name returns the path of a file of the release.
func (r release) name(format string, args ...any) string {
	return filepath.Join(r.out, fmt.Sprintf("recto_%s_", r.version)+fmt.Sprintf(format, args...))
}

// writeExtras lets the program write its manual pages and completions.
func (r release) writeExtras(folder string) error {
	man := filepath.Join(folder, "man")
	if err := os.Mkdir(man, 0o755); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	run := func(args ...string) ([]byte, error) {
		command := exec.Command(r.host, args...)
		command.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.at.Unix()))
		command.Stderr = os.Stderr
		out, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("run recto %s: %w", strings.Join(args, " "), err)
		}
		return out, nil
	}
	if _, err := run("man", man); err != nil {
		return err
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		out, err := run("completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, shell), out, 0o644); err != nil {
			return fmt.Errorf("write the completion: %w", err)
		}
	}
	return nil
}

// sbom lists the modules in a binary, in the form of CycloneDX.
func (r release) sbom(platform string) error {
	command := exec.Command("go", "tool", "cyclonedx-gomod", "bin", "-json", "-noserial", "-notimestamp", "-std",
		"-version", "v"+r.version, "-output", r.name("%s.cdx.json", platform), r.binary(platform))
	command.Dir = filepath.Dir(r.files)
	command.Stderr = os.Stderr
	return command.Run()
}

// sums writes the SHA-256 of each file, as sha256sum does.
func (r release) sums() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return fmt.Errorf("list the release: %w", err)
	}
	var lines []string
	for _, entry := range entries {
		if entry.Name() == "SHA256SUMS" || entry.IsDir() {
			continue
		}
		file, err := os.Open(filepath.Join(r.out, entry.Name()))
		if err != nil {
			return fmt.Errorf("read the release: %w", err)
		}
		sum := sha256.New()
		_, err = io.Copy(sum, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("read the release: %w", err)
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sum.Sum(nil), entry.Name()))
	}
	slices.Sort(lines)
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}
