package comment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// react puts and takes back reactions of the caller, whose role was checked.
func react(ctx context.Context, q db.Querier, p post, caller account.Caller, wanted edit, now time.Time) error {
	if err := deleteReactions(ctx, q, p, caller.User.ID, wanted.remove); err != nil {
		return err
	}
	if len(wanted.add) == 0 {
		return nil
	}
	if err := insertReactions(ctx, q, p, caller.User.ID, wanted.add, now); err != nil {
		return err
	}
	kinds, err := countEmoji(ctx, q, p)
	if err == nil && kinds > MaxEmoji {
		err = errs.Conflictf("It carries %d different emoji already, the most there may be; use one of those.",
			MaxEmoji)
	}
	return err
}

func checkEmoji(path string, named []string) ([]string, error) {
	if len(named) > MaxEmoji {
		return nil, errs.Invalidf(path, "has %d emoji; at most %d are accepted", len(named), MaxEmoji)
	}
	var list []string
	for i, name := range named {
		emoji, err := space.ParseEmoji(fmt.Sprintf("%s[%d]", path, i), name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, emoji) {
			list = append(list, emoji)
		}
	}
	return list, nil
}

// gather puts a reaction to those with the same emoji.
func gather(reactions []Reaction, row reactionRow, people usersByID) []Reaction {
	reacted := Reacted{User: people[row.user], At: row.at}
	for i := range reactions {
		if reactions[i].Emoji == row.emoji {
			reactions[i].Users = append(reactions[i].Users, reacted)
			return reactions
		}
	}
	return append(reactions, Reaction{Emoji: row.emoji, Users: []Reacted{reacted}})
}
