// Command bench measures Recto against the bare cost of the same work and prints ratios.
//
// Machines are shared and noisy, so nothing here is an absolute promise: the two sides of every figure run in turns
// within one run, and what counts is the median of their ratios. make bench runs it; docs/performance.md keeps a table.
//
// With -against it compares two binaries in place of the bare cost: what each does from outside, in turns, and it fails
// when the first is more than 5 % worse in a figure.
//
// Everything it starts listens on loopback and ends with it. Load comes from wrk for a fixed number of seconds; with
// -against, where the two sides change every tenth of a second, from the program itself.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options say what to measure.
type options struct {
	binary   string
	book     string
	rounds   int
	duration time.Duration
	only     string
	against  string
	held     bool
	each     bool
	// corpora are the texts that search is judged on; all when there are none.
	corpora []string
	// embeddings and model are an endpoint of embeddings, and what it is asked for; key is what it wants to see.
	embeddings, model, key string
}

func run(ctx context.Context, args []string) error {
	if len(args) == 3 && args[0] == "bare" {
		return serveBare(ctx, args[1], args[2])
	}
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.binary, "recto", "bin/recto", "the binary to measure")
	flags.StringVar(&o.book, "book", "internal/content/importer/testdata/rust-book.zip", "what to import")
	flags.IntVar(&o.rounds, "rounds", 5, "pairs of runs per figure; with -against each figure has its own")
	flags.DurationVar(&o.duration, "duration", 3*time.Second, "length of one run under load")
	flags.StringVar(&o.only, "only", "", "the one row to measure, such as page or memory; all when empty")
	flags.StringVar(&o.against, "against", "", "another binary: measure both side by side, in place of the bare cost")
	flags.BoolVar(&o.held, "held", false, "with -only search: also ask the queries that ranking was not tuned with")
	flags.BoolVar(&o.each, "each", false, "with -only search: also print at which rank each query found its page")
	flags.Func("corpora", "with -only search: the texts to search, such as rust,manual; all when not given",
		func(text string) error {
			o.corpora = strings.Split(text, ",")
			return nil
		})
	flags.StringVar(&o.embeddings, "embeddings-url", "",
		"with -only search: an endpoint of embeddings; compare words with words and vectors")
	flags.StringVar(&o.model, "embeddings-model", "", "the model that the endpoint is asked for")
	flags.StringVar(&o.key, "embeddings-key", "", "the key that the endpoint wants to see")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is not understood; see -h", flags.Arg(0))
	}
	if o.against != "" {
		return measureAgainst(ctx, o)
	}
	measures := []struct {
		name string
		run  func(context.Context, options) error
	}{
		{"page", measurePage}, {"json", measureJSON}, {"import", measureImport}, {"lists", measureLists},
		{"growth", measureGrowth}, {"visitors", measureVisitors}, {"block", measureBlock},
		{"merge", measureMerge}, {"search", measureSearch},
	}
	known := slices.ContainsFunc(figures(), func(f figure) bool { return f.hasAim() && f.name == o.only })
	for _, measure := range measures {
		if o.only != "" && o.only != measure.name {
			continue
		}
		known = true
		if err := measure.run(ctx, o); err != nil {
			return fmt.Errorf("%s: %w", measure.name, err)
		}
	}
	if !known {
		return fmt.Errorf("there is no row %q", o.only)
	}
	return measureFigures(ctx, o)
}

// median returns the middle of the values, which must not be empty.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// pair is one figure: both sides of every round.
type pair struct{ ours, bare []float64 }

// report prints the medians of a figure and of its ratio, round by round. better is what the ratio divides, so that
// 1 means as good as bare.
func (p pair) report(name, unit string, aim float64, ratio func(ours, bare float64) float64) {
	ratios := make([]float64, len(p.ours))
	for i := range p.ours {
		ratios[i] = ratio(p.ours[i], p.bare[i])
	}
	fmt.Printf("%-44s %10.0f %10.0f %-6s ratio %.2f (%.2f to %.2f), aim %.2f\n",
		name, median(p.ours), median(p.bare), unit, median(ratios), slices.Min(ratios), slices.Max(ratios), aim)
}
