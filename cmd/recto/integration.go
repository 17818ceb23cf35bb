package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rectodocs/recto/internal/author"
)

// integrationCommand are the commands for authors, beside those that the API's operations make.
type integrationCommand struct {
	New     integrationNewCommand     `cmd:"" help:"Write a small integration to begin with."`
	Dev     integrationDevCommand     `cmd:"" help:"Let the script on this computer answer events, while you change it."`
	Publish integrationPublishCommand `cmd:"" help:"Build an integration from its manifest and publish it."`
}

type integrationNewCommand struct {
	Folder string `arg:"" help:"New folder; its name is that of the integration."`
	Org    string `placeholder:"ID" help:"Id or hostname of the organization that publishes it."`
}

// Run writes the template.
func (c *integrationNewCommand) Run(e environment) error {
	if err := author.New(c.Folder, filepath.Base(filepath.Clean(c.Folder)), c.Org); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.stdout, "Wrote %s. Publish it with: recto integration publish %s\n", c.Folder, c.Folder)
	return err
}

// manifest are the arguments of commands that read one.
type manifest struct {
	Manifest string `arg:"" optional:"" default:"." help:"Manifest, or the folder in which integration.yaml or gitbook-manifest.yaml is."`
}

func (m manifest) load() (author.Integration, error) {
	file := m.Manifest
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = author.ManifestIn(file)
	}
	return author.Load(file, os.Getenv)
}

type integrationPublishCommand struct {
	remote
	manifest
	Org string `placeholder:"ID" help:"Organization that publishes it, instead of the manifest's."`
}

// Run builds and publishes.
func (c *integrationPublishCommand) Run(e environment) error {
	integration, err := c.load()
	if err != nil {
		return err
	}
	server, err := c.client()
	if err != nil {
		return err
	}
	done, err := integration.Publish(e.ctx, server, c.Org)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "Published %s, version %d.\n%s\n", done.Name, done.Version, done.URLs.App)
	return err
}

type integrationDevCommand struct {
	remote
	manifest
	All bool `help:"Take events of other organizations that have installed it, too."`
}

// Run answers events until it is interrupted.
func (c *integrationDevCommand) Run(e environment) error {
	integration, err := c.load()
	if err != nil {
		return err
	}
	server, err := c.client()
	if err != nil {
		return err
	}
	return integration.Develop(e.ctx, server, c.All, func(text string) { fmt.Fprintln(e.stdout, text) })
}
