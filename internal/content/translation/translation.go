// Package translation owns the translations of spaces: settings with languages, a variant space for each language, and
// how far each text of each page is translated.
//
// A variant begins as a copy of its source space, with the same pages under the same ids, and follows it: structure,
// files and settings of pages as they are in the source, texts as far as they are translated. The state of a text is a
// function of the source's block, the variant's block and a memory of which text has stood for which (package segment):
// translated, stale (its source has changed since) or missing (the source text is shown).
//
// It promises that a variant changes through change requests alone: one is opened when there is something to bring in,
// and brought up to date as long as it is open, in the name of the user who last saved the settings. What a translator
// wrote is not overwritten unless its source block has changed or somebody asks for another text. Following is a job
// that may be run again at any moment: each step is a compare-and-swap on the revisions that it was made from.
//
// Tables: translation, translation_language, translation_page, translation_memory.
package translation

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/job"
)

// Translation is the settings of one translation.
type Translation struct {
	// ID is "translation_…".
	ID           id.Translation
	Organization id.Organization
	// Title has 1 to 100 characters.
	Title string
	// SourceSpace is the space that is translated, "" when none is named; SourceLanguage is what it is written in.
	SourceSpace    id.Space
	SourceLanguage string
	// Instructions are document JSON for whoever translates, machines included.
	Instructions json.RawMessage
	Glossary     []Term
	// OnSites puts each variant beside its source on the sites that show it.
	OnSites bool
	// Languages are those that it is translated to, in the order in which they came.
	Languages            []Language
	Stats                Stats
	CreatedAt, UpdatedAt time.Time
	// Permissions are those of the caller.
	Permissions Permissions

	updatedBy id.User
}

// Permissions say what a caller may do with a translation.
type Permissions struct{ View, Edit bool }

// Stats count what machines have translated. Durations are in milliseconds.
type Stats struct {
	Runs, TotalWords, TotalPages, TotalDuration, LatestRunDuration, LatestPages, LatestWords int64
}

// Term is an entry of a glossary: how a word is translated, by language. Where there is no translation it stays.
type Term struct {
	Term         string            `json:"term"`
	Translations map[string]string `json:"translations,omitempty"`
}

// Progress is where the following of a source is.
type Progress string

// States of following.
const (
	Pending   Progress = "pending"
	Running   Progress = "running"
	Completed Progress = "completed"
	Failed    Progress = "failed"
)

// Language is one language of a translation with the space that is its variant.
type Language struct {
	// ID is "variant_…".
	ID          id.Language
	Translation id.Translation
	// Code is that of the language, Space the variant.
	Code  string
	Space id.Space
	State Progress
	// Error says what went wrong last, "" when nothing did.
	Error string
	// Done and Total are steps of the work under way.
	Done, Total int
	// ChangeRequest is the id of the open change request, "" when there is none.
	ChangeRequest id.ChangeRequest
	// Source is the revision of the source that the content which is worked on has followed.
	Source id.Revision
	// Target is the revision of the variant that the counts are about.
	Target id.Revision
	Counts Counts
	// Machine says how far machine translation is.
	Machine   Machine
	UpdatedAt time.Time

	mainSource       id.Revision
	generation, done int64
	shown            int64
}

// Counts add up the states of texts.
type Counts struct {
	Pages, Translated, Stale, Missing, Machine, Words, WordsTranslated int
}

// Machine says how a run of machine translation is going or went.
type Machine struct {
	// State is "" when there was none.
	State Progress `json:"state,omitempty"`
	// Done and Total count segments; Failed are those that came back in a form that cannot be used.
	Done   int    `json:"done,omitempty"`
	Total  int    `json:"total,omitempty"`
	Failed int    `json:"failed,omitempty"`
	Error  string `json:"error,omitempty"`
	job    string
}

// Page is a page, or a reusable content, of a variant with the states of its texts.
type Page struct {
	Entry, Kind, Title string
	// Translated, Stale and Missing count the texts of the content that is worked on; Machine are those of the
	// translated ones that no person has looked at. MainStale and MainMissing are of the main content.
	Translated, Stale, Missing, Machine    int
	Words, WordsTranslated                 int
	MainTranslated, MainStale, MainMissing int
	position                               int64
	sourceKey, targetKey, mainKey          string
}

// Segment is one text of a page.
type Segment struct {
	// ID is the page's id, a dot and the key of the text in the page.
	ID, Entry, Kind string
	Source          segment.Content
	// Target is what the variant has: the source text where a translation is missing. Its placeholders are those of the
	// source where they are the same.
	Target string
	State  segment.State
	Origin segment.Origin
}

// Deps is what the service stands on.
type Deps struct {
	DB       *db.DB
	Accounts *account.Service
	Spaces   *space.Service
	Content  *store.Service
	Changes  *change.Service
	Jobs     *job.Runner
	// Provider translates by machine; nil when that is switched off.
	Provider Provider `optional:"no machine translates"`
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	Log *slog.Logger
}

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// Show puts a space beside another on each site that shows that one.
	Show func(ctx context.Context, caller account.Caller, organizationID id.Organization, sourceSpace,
		variant id.Space) error
}

// Service keeps translations. It is safe for use by many goroutines.
type Service struct {
	deps   Deps
	hooks  required.Hooks[Hooks]
	access *access.Service
}

// Kinds of jobs.
const (
	followKind  = "translation.follow"
	machineKind = "translation.machine"
)

// New returns a Service, which needs its Hooks before it is used, and registers its jobs. Its OnHead has to be among
// store.Hooks.OnHead.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	s := &Service{deps: deps, access: access.New(deps.DB)}
	deps.Jobs.Register(followKind, s.follow, job.Options{Timeout: time.Hour, Ended: s.followEnded})
	deps.Jobs.Register(machineKind, s.runMachine, job.Options{Timeout: 12 * time.Hour, MaxAttempts: 3,
		Ended: s.machineEnded})
	return s
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

func (s *Service) clock() time.Time { return s.deps.Now().UTC().Truncate(time.Microsecond) }
