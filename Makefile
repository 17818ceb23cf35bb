# make demo    everything ready: Recto's own manual as a published site; needs Go alone. DOCS=./folder or DOCS=https://… shows yours
# make test    all tests, with the PostgreSQL and the browser that they need. PKG=./internal/content/... tests one package
# make check   what a change has to pass before its tests count
# make build   bin/recto
# make fuzz    fuzz targets for a minute each; FUZZ_SECONDS=600 FUZZ_TARGETS=RoundTrip runs some of them for longer
# make release    what people install, in dist: binaries, packages, an image. VERSION=1.2.0 names it
# make random-keys    press keys at random in the editor, as two people
# make webkit  look at a site and the app in the engine of Safari
# make laws    measure what the laws of the layout limit, and write it into docs/ARCHITECTURE.md
# make ui      build the app that people work in, after a change in ui/; make ui-dev runs it with hot reload
# make pictures    take the pictures of the manual anew, in a real browser
# make help    this text

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO ?= go
# How many random cases a property test runs; tests alone run fewer.
PROPERTY_CASES ?= 100000
# How many edits of 64 people at once have to be acknowledged, a kill of the server with each 200 of them, and for how many
# seconds they go on at least: EDITOR_SECONDS=600 lets them edit for ten minutes.
EDITOR_EDITS ?= 8000
EDITOR_SECONDS ?= 0

# The program, the checks and the tests are compiled alike, and therefore once.
export CGO_ENABLED := 0
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS) -trimpath)

# What of the fuzz targets every run of the tests tries, and for how long each: those of packages that stand on little.
# To compile all of the program for fuzzing takes two minutes, and the targets that need it have tests with random inputs.
FUZZ_TARGETS ?= LocalLocation|Cursors|FuzzRoundTrip
FUZZ_SECONDS ?= 3

.PHONY: random-keys webkit laws release test-release help build demo ui ui-dev test test-package test-go test-ui test-e2e fuzz race check format vet staticcheck vulnerabilities fix tidy fresh generate bench postgres clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

# The compiler collects its own garbage only near 2 GiB, which is a quarter of its time.
COMPILER := env GOGC=off GOMEMLIMIT=2GiB
# Vet is a check of its own. Tests keep little and make much garbage: collecting it less often saves a quarter of what
# properties take, and the compiler and linker are faster for it too.
TEST := env GOGC=400 scripts/with-memory scripts/with-postgres $(GO) test -vet=off

# The linker drops the debug information, which is a third of the file, and begins functions at multiples of 16 bytes
# instead of 32, which is half a megabyte.
build:
	@scripts/build $(COMPILER) $(GO) build -v -ldflags "-s -w -funcalign=16" -o bin/recto ./cmd/recto

# The same commit gives the same bytes: everything carries the time of the commit.
VERSION ?= 0.0.0-$(shell git rev-parse --short=12 HEAD)
PLATFORMS ?= linux-amd64 linux-arm64 darwin-amd64 darwin-arm64
release: build
	rm -rf dist
	@for platform in $(PLATFORMS); do echo "Compiling for $$platform."; \
		GOOS=$${platform%-*} GOARCH=$${platform#*-} $(COMPILER) $(GO) build -buildvcs=false \
		-ldflags "-s -w -funcalign=16 -X main.version=$(VERSION)" -o dist/binaries/$$platform/recto ./cmd/recto; done
	cd release && $(GO) build -o ../dist/binaries/release .
	cd release && ../dist/binaries/release -version '$(VERSION)' -epoch "$$(git log -1 --format=%ct)" \
		-platforms '$(shell echo $(PLATFORMS) | tr ' ' ',')' -binaries $(CURDIR)/dist/binaries \
		-files $(CURDIR)/release/files -host $(CURDIR)/bin/recto -out $(CURDIR)/dist/out
	mv dist/out/* dist && rm -rf dist/out dist/binaries && ls -l dist

demo: build
	@bin/recto demo $(if $(DOCS),'$(DOCS)')

ui: build
	RECTO_BINARY=$(CURDIR)/bin/recto scripts/ui build

# RECTO_SERVER names the server that the app talks to, http://127.0.0.1:8080 by itself.
ui-dev: build
	RECTO_BINARY=$(CURDIR)/bin/recto scripts/ui dev

ifdef PKG
test: test-package
else
test: test-go test-ui test-e2e test-release
endif

# Properties are tried with the few cases that go test tries by itself. RUN=TestName runs some tests alone.
test-package:
	@scripts/test-data
	$(TEST) -timeout 15m $(if $(RUN),-run '$(RUN)') $(PKG)

# The server starts in a temporary directory and is stopped in any case.
test-go:
	scripts/test-data
	RECTO_PROPERTY_CASES=$(PROPERTY_CASES) $(TEST) -timeout 15m ./...
	@# By itself, because it keeps the machine busy and other tests have deadlines.
	RECTO_EDITOR_EDITS=$(EDITOR_EDITS) RECTO_EDITOR_SECONDS=$(EDITOR_SECONDS) $(TEST) -count 1 -v \
		-timeout $$((2 * $(EDITOR_SECONDS) + 1200))s -run TestEditorsLoseNothing ./internal/app | grep -v '^=== '
	GO="$(GO)" scripts/with-postgres scripts/fuzz $(FUZZ_SECONDS) '$(FUZZ_TARGETS)'

fuzz: FUZZ_SECONDS := 60
fuzz: FUZZ_TARGETS := .
fuzz:
	GO="$(GO)" scripts/with-postgres scripts/fuzz $(FUZZ_SECONDS) '$(FUZZ_TARGETS)'

test-ui: build
	RECTO_PROPERTY_CASES=$(PROPERTY_CASES) RECTO_BINARY=$(CURDIR)/bin/recto scripts/ui test

test-e2e: build
	scripts/with-postgres scripts/e2e

# What is packed is installed, started and purged, when root runs it on a machine that has no Recto.
test-release: build
	cd release && RECTO_BINARY=$(CURDIR)/bin/recto $(GO) vet . && \
		RECTO_BINARY=$(CURDIR)/bin/recto $(GO) test -vet=off -count 1 -timeout 5m .

pictures: build
	RECTO_PICTURES=$(CURDIR)/docs/manual/writing scripts/with-postgres scripts/e2e app-story.test.mjs app-live.test.mjs

# The race detector takes several times as long, and needs a C compiler.
race: export CGO_ENABLED := 1
race:
	scripts/with-postgres $(GO) test -race -timeout 30m ./...

check: format vet staticcheck vulnerabilities fix tidy fresh

format:
	@unformatted=$$(gofmt -l release $$($(GO) list -f '{{.Dir}}' ./...)); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:" >&2; echo "$$unformatted" >&2; exit 1; fi

vet:
	$(COMPILER) $(GO) vet ./...

# It holds more than a compiler, and collecting less often saves it a third.
staticcheck:
	GOGC=400 GOMEMLIMIT=4GiB $(GO) tool staticcheck ./...

vulnerabilities:
	@scripts/vulnerabilities

fix:
	@changes=$$($(COMPILER) $(GO) fix -diff ./... 2>&1 || true); \
	if [ -n "$$changes" ]; then echo "go fix would change:" >&2; echo "$$changes" >&2; exit 1; fi

tidy:
	$(GO) mod tidy -diff
	cd release && $(GO) mod tidy -diff

fresh:
	@scripts/fresh $(MAKE) --no-print-directory generate

generate:
	$(GO) generate ./...
	node internal/serve/pub/theme/assets/vendor.mjs
	node internal/people/account/passwords/vendor.mjs
	$(MAKE) --no-print-directory ui

laws:
	$(GO) test -count 1 -run TestFigures ./internal/archtest -update

# Two people press keys at random in the editor: SEED=2 ROUNDS=10 for another run.
random-keys: build
	scripts/with-postgres scripts/e2e random-keys.mjs

# Before a release: what Chromium does right, another engine may not.
webkit: build
	scripts/webkit

# Installs nginx and wrk when they are missing. BENCH="-only page" measures one part; AGAINST=/path/to/recto measures
# this tree and that binary side by side.
bench: build
	@command -v wrk >/dev/null || scripts/apt-install wrk
	@command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || scripts/apt-install nginx-light
	$(GO) build -o bin/bench ./bench
	bin/bench $(if $(AGAINST),-against $(AGAINST)) $(BENCH)

# For running tests by hand: prints how to use it and how to stop it.
postgres:
	@directory=$$(mktemp -d /tmp/recto-postgres.XXXXXX); url=$$(scripts/postgres start "$$directory"); \
	echo "export RECTO_TEST_POSTGRES='$$url'"; echo "# when done: scripts/postgres stop $$directory"

clean:
	rm -rf bin
