package mask

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
)

// Logger returns a logger whose records have no secrets in them: not in the message, not in an attribute of whatever
// kind.
func Logger(log *slog.Logger) *slog.Logger {
	if _, ok := log.Handler().(*handler); ok {
		return log
	}
	return slog.New(&handler{log.Handler()})
}

// handler hides secrets before another handler sees a record.
type handler struct{ next slog.Handler }

// Enabled asks the handler behind.
func (h *handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// Handle passes a record on without its secrets.
func (h *handler) Handle(ctx context.Context, record slog.Record) error {
	clean := slog.NewRecord(record.Time, record.Level, Text(record.Message), record.PC)
	record.Attrs(func(attribute slog.Attr) bool {
		clean.AddAttrs(masked(attribute))
		return true
	})
	return h.next.Handle(ctx, clean)
}

// WithAttrs is With of a logger.
func (h *handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attributes))
	for i, attribute := range attributes {
		clean[i] = masked(attribute)
	}
	return &handler{h.next.WithAttrs(clean)}
}

// WithGroup is WithGroup of a logger.
func (h *handler) WithGroup(name string) slog.Handler { return &handler{h.next.WithGroup(name)} }

// masked returns an attribute without secrets.
func masked(attribute slog.Attr) slog.Attr {
	switch value := attribute.Value.Resolve(); value.Kind() {
	case slog.KindString:
		attribute.Value = slog.StringValue(Text(value.String()))
	case slog.KindGroup:
		group := make([]slog.Attr, len(value.Group()))
		for i, member := range value.Group() {
			group[i] = masked(member)
		}
		attribute.Value = slog.GroupValue(group...)
	case slog.KindAny:
		attribute.Value = maskedAny(value)
	default:
		attribute.Value = value
	}
	return attribute
}

// maskedAny looks at a value as a log would write it. One without secrets stays what it is.
func maskedAny(value slog.Value) slog.Value {
	switch held := value.Any().(type) {
	case error:
		return slog.StringValue(Text(held.Error()))
	case fmt.Stringer:
		return slog.StringValue(Text(held.String()))
	case []byte:
		return slog.StringValue(Text(string(held)))
	}
	encoded, err := json.Marshal(value.Any())
	if err != nil {
		return slog.StringValue(Text(value.String()))
	}
	if clean := Text(string(encoded)); clean != string(encoded) {
		return slog.StringValue(clean)
	}
	if plain := value.String(); Text(plain) != plain {
		return slog.StringValue(Text(plain))
	}
	return value
}
