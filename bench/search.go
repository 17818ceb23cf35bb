package main

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/search/judge"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
)

// rivals are the packages that search is compared with. They are installed into a temporary folder and are no part of
// the product.
var rivals = []string{"lunr@2.3.9", "lunr-languages@1.14.0", "minisearch@7.2.0", "pagefind@1.6.0"}

// measureSearch prints how well search finds what people look for, beside others that were given the same texts. With
// held it also asks the queries that ranking was not tuned with.
func measureSearch(ctx context.Context, o options) error {
	if o.embeddings != "" {
		return measureVectors(ctx, o)
	}
	if os.Getenv("RECTO_TEST_POSTGRES") == "" {
		again := exec.CommandContext(ctx, "scripts/with-postgres", append(slices.Clone(os.Args), "-only", "search")...)
		again.Stdout, again.Stderr = os.Stdout, os.Stderr
		return again.Run()
	}
	corpora, queries, err := judgedBy(ctx, o)
	if err != nil {
		return err
	}
	dir, forget, err := temporary()
	if err != nil {
		return err
	}
	defer forget()
	answers, err := askRivals(ctx, dir, corpora, queries)
	if err != nil {
		return err
	}
	if answers["PostgreSQL"], err = askPostgres(ctx, corpora, queries); err != nil {
		return fmt.Errorf("ask PostgreSQL: %w", err)
	}
	if answers["Recto"], err = askOurs(ctx, dir, corpora, queries, nil); err != nil {
		return fmt.Errorf("ask Recto: %w", err)
	}
	printHalves(o, queries, answers, "Recto", "Lunr", "MiniSearch", "Pagefind", "PostgreSQL")
	return nil
}

// printHalves prints tables of the halves of the queries that were asked.
func printHalves(o options, queries []judge.Query, answers map[string][][]string, engines ...string) {
	if o.each {
		printRanks(queries, answers, engines)
	}
	fmt.Println("MRR@10 and recall@10 by kind of query, in the half that ranking was tuned with")
	printJudged(queries, answers, func(q judge.Query) bool { return !q.Held }, engines)
	if o.held {
		fmt.Println("\nIn the half that it was not tuned with")
		printJudged(queries, answers, func(q judge.Query) bool { return q.Held && q.Later == 0 }, engines)
		for i, set := range judge.Later {
			said := "In texts that were looked for after it had been tuned: " + strings.Join(set.Texts, ", ")
			if len(set.Texts) == 0 {
				said = "Of all texts of the sets before, written when these had been asked about"
			}
			fmt.Println("\n" + said)
			printJudged(queries, answers, func(q judge.Query) bool { return q.Later == i+1 }, engines)
		}
	}
}

// judgedBy returns the texts that search is judged on, and the queries that are asked about them.
func judgedBy(ctx context.Context, o options) (map[string][]judge.Page, []judge.Query, error) {
	corpora, err := readCorpora(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	all, err := judge.Queries(o.corpora...)
	queries := slices.DeleteFunc(all, func(query judge.Query) bool { return query.Held && !o.held })
	return corpora, queries, err
}

// readCorpora reads the texts, and installs the packages that hold some of them when they are not there.
func readCorpora(ctx context.Context, o options) (map[string][]judge.Page, error) {
	book, err := zip.OpenReader(o.book)
	if err != nil {
		return nil, err
	}
	defer book.Close()
	chapters, err := fs.Sub(book, "src")
	if err != nil {
		return nil, err
	}
	wanted := func(name string) bool { return len(o.corpora) == 0 || slices.Contains(o.corpora, name) }
	corpora := map[string][]judge.Page{}
	for name, tree := range map[string]fs.FS{"rust": chapters, "manual": os.DirFS("docs/manual")} {
		if !wanted(name) {
			continue
		}
		if corpora[name], err = judge.Markdown(tree); err != nil {
			return nil, err
		}
	}
	if err := runQuietly(ctx, "scripts/search-texts"); err != nil {
		return nil, err
	}
	for name, read := range judge.Installed {
		if !wanted(name) {
			continue
		}
		if corpora[name], err = read(); err != nil {
			return nil, err
		}
	}
	for _, name := range o.corpora {
		if corpora[name] == nil {
			return nil, fmt.Errorf("there are no texts named %q", name)
		}
	}
	return corpora, nil
}

func runQuietly(ctx context.Context, name string, arguments ...string) error {
	command := exec.CommandContext(ctx, name, arguments...)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// askRivals asks the engines that are JavaScript. An answer is the pages found for each query, best first.
func askRivals(ctx context.Context, dir string, corpora map[string][]judge.Page,
	queries []judge.Query) (map[string][][]string, error) {
	install := exec.CommandContext(ctx, "npm", append([]string{"install", "--no-save", "--no-audit", "--no-fund"},
		rivals...)...)
	install.Dir = dir
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}"), 0o600); err != nil {
		return nil, err
	}
	if out, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("install what to compare with: %w\n%s", err, out)
	}
	encoded, err := json.Marshal(map[string]any{"corpora": corpora, "queries": queries})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "input.json"), encoded, 0o600); err != nil {
		return nil, err
	}
	script, err := filepath.Abs("bench/search/rivals.mjs")
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, "node", script, "input.json", "output.json")
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("ask Lunr, MiniSearch and Pagefind: %w\n%s", err, out)
	}
	if encoded, err = os.ReadFile(filepath.Join(dir, "output.json")); err != nil {
		return nil, err
	}
	var answers map[string][][]string
	return answers, json.Unmarshal(encoded, &answers)
}

// askOurs asks this tree's search, over a store of its own, with the vectors of an endpoint, nil for words alone.
func askOurs(ctx context.Context, dir string, corpora map[string][]judge.Page, queries []judge.Query,
	connected *connected) (answers [][]string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	database, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(dir, "recto.db")})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	if err := db.Migrate(ctx, database); err != nil {
		return nil, err
	}
	blobs, err := blob.OpenStore("dir:" + filepath.Join(dir, "blobs"))
	if err != nil {
		return nil, err
	}
	contents := store.New(store.Deps{DB: database, Blobs: blobs})
	contents.SetHooks(store.Hooks{OnHead: []func(context.Context, db.Querier, store.HeadMoved) error{},
		BlobInUse: func(context.Context, db.Querier, string) (bool, error) { return false, nil }})
	deps := search.Deps{Content: contents, Dir: filepath.Join(dir, "search"), Log: slog.New(slog.DiscardHandler),
		FirstBuildWait: 10 * time.Minute}
	if connected != nil {
		deps.Embedder, deps.EmbedAll, deps.EmbedderWait = connected, true, time.Minute
	}
	service, err := search.New(deps)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	service.SetHooks(search.Hooks{
		Computed: search.ComputedSource{
			State: func(context.Context, id.Space) (string, error) { return "", nil },
			Pages: func(context.Context, *store.View) ([]search.ComputedPage, error) { return nil, nil },
		},
		Public: func(context.Context, id.Space) (bool, error) { return true, nil },
	})
	answers = make([][]string, len(queries))
	for name, pages := range corpora {
		space, author := id.Space(id.New("space")), id.User(id.New("user"))
		if err := database.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			return contents.Init(ctx, q, space, author, time.Now().UnixMicro())
		}); err != nil {
			return nil, err
		}
		named := map[string]string{}
		positions := entity.Positions(len(pages))
		commit := store.CommitRequest{Space: space, Author: author, FixSlugs: true}
		for i, page := range pages {
			entry := &entity.Entry{ID: id.New("page"), Kind: entity.KindPage, Type: entity.PageDocument,
				Position: positions[i], Title: page.Title}
			named[entry.ID] = page.ID
			commit.Put = append(commit.Put, store.Put{Entry: entry, Body: page.AsMarkdown()})
		}
		if _, err := contents.Commit(ctx, commit); err != nil {
			return nil, err
		}
		if connected != nil {
			if _, err := service.Search(ctx, search.Query{Spaces: []id.Space{space}, Text: "x", Limit: 1}); err != nil {
				return nil, err
			}
			if err := connected.rest(ctx); err != nil {
				return nil, err
			}
		}
		for at, query := range queries {
			if query.Corpus != name {
				continue
			}
			if connected != nil {
				time.Sleep(betweenQueries)
			}
			found, err := service.Search(ctx, search.Query{Spaces: []id.Space{space}, Text: query.Text, Limit: 10})
			if err != nil {
				return nil, err
			}
			for _, hit := range found.Pages {
				answers[at] = append(answers[at], named[hit.ID])
			}
		}
	}
	return answers, nil
}

// printRanks prints at which rank each engine has the first right page for each query, 0 for none among ten.
func printRanks(queries []judge.Query, answers map[string][][]string, engines []string) {
	fmt.Println(strings.Join(engines, ", "))
	for at, query := range queries {
		for _, engine := range engines {
			fmt.Printf("%3d", judge.Rank(query, answers[engine][at]))
		}
		fmt.Printf("  %s, %s: %s\n", query.Corpus, query.Kind, query.Text)
	}
	fmt.Println()
}

// printJudged prints a table of the queries that count: a row for each kind of query, a column for each engine.
func printJudged(queries []judge.Query, answers map[string][][]string, counts func(judge.Query) bool,
	engines []string) {
	figures := map[string]map[string]*judge.Figures{}
	for at, query := range queries {
		if !counts(query) {
			continue
		}
		for _, kind := range []string{query.Kind, "~ all"} {
			if figures[kind] == nil {
				figures[kind] = map[string]*judge.Figures{}
			}
			for _, engine := range engines {
				if figures[kind][engine] == nil {
					figures[kind][engine] = &judge.Figures{}
				}
				figures[kind][engine].Add(query, answers[engine][at])
			}
		}
	}
	if len(figures) == 0 {
		fmt.Println("none were asked")
		return
	}
	fmt.Printf("%-10s %7s", "", "queries")
	for _, engine := range engines {
		fmt.Printf(" %12s", engine)
	}
	fmt.Println()
	for _, kind := range slices.Sorted(maps.Keys(figures)) {
		fmt.Printf("%-10s %7d", kind, figures[kind][engines[0]].Queries)
		for _, engine := range engines {
			fmt.Printf("    %.2f %.2f", figures[kind][engine].MRR, figures[kind][engine].Recall)
		}
		fmt.Println()
	}
}
