package reader

import (
	"time"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Limits of a page. They bound what one Parse can cost: about 64 MB and well under a second.
const (
	// MaxBody is the largest body in bytes.
	MaxBody = 1 << 20

	// maxOpenBlocks bounds how deep containers nest while goldmark reads blocks.
	maxOpenBlocks = doc.MaxDepth
	// memoryBudget is what a parse may allocate for its trees, in estimated bytes.
	memoryBudget = 44 << 20
	// stepBudget bounds work that grows with the square of something: one step is a visit to one list entry or to
	// sixteen bytes.
	stepBudget = 60_000_000
	// maxDuration is the deadline behind the budgets.
	maxDuration = 5 * time.Second
)

// Estimated bytes that one thing costs in goldmark's tree and in ours together.
const (
	blockCost = 700
	lineCost  = 540
	// containerCost is for one line of one container: deep nesting pays for every level on every line.
	containerCost   = 100
	inlineCost      = 260
	codeSpanCost    = 1600
	nodeCost        = 320
	emojiCost       = 600 // and other inlines that are read in one piece
	bareAddressCost = 1200
	htmlCost        = 420 // an element, a text or a comment of a block of HTML
)
