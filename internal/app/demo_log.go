package app

import (
	"context"
	"log/slog"
	"sync/atomic"
)

// quietLog is a log that says only what is wrong until it is told to speak up: a line for each request that follows an
// import would run through the progress that people watch.
type quietLog struct {
	slog.Handler
	loud *atomic.Bool
}

func newQuietLog(log *slog.Logger) quietLog {
	return quietLog{Handler: log.Handler(), loud: new(atomic.Bool)}
}

// Enabled implements slog.Handler.
func (q quietLog) Enabled(ctx context.Context, level slog.Level) bool {
	return (level >= slog.LevelWarn || q.loud.Load()) && q.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (q quietLog) WithAttrs(attributes []slog.Attr) slog.Handler {
	return quietLog{Handler: q.Handler.WithAttrs(attributes), loud: q.loud}
}

// WithGroup implements slog.Handler.
func (q quietLog) WithGroup(name string) slog.Handler {
	return quietLog{Handler: q.Handler.WithGroup(name), loud: q.loud}
}
