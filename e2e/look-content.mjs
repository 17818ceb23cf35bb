// A small space with one of most blocks, for tests of how sites look.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const files = {
  "SUMMARY.md": `# Table of contents

* [Welcome](README.md)

## Guide

* [Quickstart](guide/quickstart.md)
* [All blocks](guide/blocks.md)
  * [Nested page](guide/blocks/nested.md)
  * [Another one](guide/blocks/another.md)
* [Deploy](guide/deploy.md)

## Reference

* [Settings](reference/settings.md)
* [Errors](reference/errors.md)
* [Source code](https://github.com/rectodocs/recto)
`,
  "README.md": `---
icon: hand-wave
description: Everything to build, ship and run your first project.
---

# Welcome

Acme turns a folder of files into a running service. Read the [quickstart](guide/quickstart.md) first, then look at
[all blocks](guide/blocks.md) or visit [the project](https://example.org).

{% hint style="info" %}
New here? The quickstart takes about five minutes.
{% endhint %}

## What you can do

Deploy from a branch, watch it come up, and roll back with one click.

## Where to go next

Each guide stands on its own.
`,
  "guide/quickstart.md": `---
icon: rocket
description: From nothing to a running service.
---

# Quickstart

Install the tool, then start it.

\`\`\`bash
curl -fsSL https://example.org/install | sh
acme start --port 8080
\`\`\`

## Next

Read on.
`,
  "guide/blocks.md": `---
icon: cube
description: One of most things that a page can have, to see how they look together.
---

# All blocks

A paragraph with **strong** and *emphasised* words, \`inline code\`, a [link to a page](quickstart.md) and
[one to another place](https://example.org). It is long enough to see how lines of text are set one below another.

{% hint style="info" %}
An aside that informs, with a [link](quickstart.md) in it.
{% endhint %}

{% hint style="warning" %}
Something to be careful about.
{% endhint %}

## Code

{% code title="server.go" lineNumbers="true" %}
\`\`\`go
package main

import "net/http"

// main serves hello.
func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("hello, " + r.URL.Path)) // 42
	})
	_ = http.ListenAndServe(":8080", nil)
}
\`\`\`
{% endcode %}

## Steps

{% stepper %}
{% step %}
### Install

Get the program.
{% endstep %}
{% step %}
### Start

Run it.
{% endstep %}
{% endstepper %}

## Tabs and tables

{% tabs %}
{% tab title="Linux" %}
Use your package manager.
{% endtab %}
{% tab title="macOS" %}
Use Homebrew.
{% endtab %}
{% endtabs %}

| Setting | Default | Meaning |
| --- | --- | --- |
| port | 8080 | Where it listens |
| host | localhost | What it answers to |

* one
* two
  * three

- [x] done
- [ ] not yet

<details>
<summary>More about this</summary>

Hidden until somebody asks.
</details>

> Somebody said something worth a quotation.

{% hint style="success" %}
It works.
{% endhint %}

{% hint style="danger" %}
It does not.
{% endhint %}
`,
  "guide/blocks/nested.md": "# Nested page\n\nBelow another.\n",
  "guide/blocks/another.md": "# Another one\n\nBeside it.\n",
  "guide/deploy.md": "---\nicon: cloud-arrow-up\n---\n\n# Deploy\n\nShip it.\n",
  "reference/settings.md": "---\nicon: gear\n---\n\n# Settings\n\nAll of them.\n",
  "reference/errors.md": "---\nicon: bug\n---\n\n# Errors\n\nNone yet.\n",
};

/** Makes a space with the content and returns its id. */
export async function content(server, recto, title = "Guide") {
  const space = await server.api("POST", `/v1/orgs/${server.organization}/spaces`, { title });
  const folder = await mkdtemp(join(tmpdir(), "recto-look-"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await writeFile(join(folder, ".gitbook.yaml"), "root: ./\n");
  await recto(["import", folder, "--space", space.id], server.client);
  await rm(folder, { recursive: true });
  return space.id;
}
