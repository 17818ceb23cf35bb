package archtest

// Packages that do not keep a law yet, by their paths below the module.
var (
	tooLarge = map[string]bool{
		"internal/serve/api": true, "internal/serve/pub": true, "internal/engine/markdown": true,
		"internal/content/store": true, "internal/people/org": true, "internal/publish/site": true,
	}
	inCircles = map[string]bool{
		"internal/serve/api": true, "internal/serve/pub": true,
		"internal/people/account": true, "internal/people/org": true, "internal/publish/site": true,
		"internal/app": true,
	}
)

// withoutCaller has what nothing but tests uses, with the reason why it stays.
var withoutCaller = map[string]string{
	"internal/app.App.Handler":                         "to be looked at",
	"internal/content/change.OpenConflicts":            "to be looked at",
	"internal/content/comment.Service.Mentions":        "to be looked at",
	"internal/content/importer.NewDirectorySink":       "to be looked at",
	"internal/content/importer.Note":                   "to be looked at",
	"internal/content/importer.Notes":                  "to be looked at",
	"internal/content/importer.ReadDirectory":          "to be looked at",
	"internal/content/importer/filetree.Tree.Pack":     "to be looked at",
	"internal/content/link.Service.BrokenBetween":      "to be looked at",
	"internal/content/link.Service.Reads":              "to be looked at",
	"internal/content/print.Running":                   "to be looked at",
	"internal/content/space.VisibilityPublic":          "to be looked at",
	"internal/content/space.VisibilityShareLink":       "to be looked at",
	"internal/content/space.VisibilityUnlisted":        "to be looked at",
	"internal/content/space.VisibilityVisitorAuth":     "to be looked at",
	"internal/content/spec.Complete":                   "to be looked at",
	"internal/content/spec.Progress":                   "to be looked at",
	"internal/content/store.Service.HeadID":            "to be looked at",
	"internal/content/store.Service.MergeBase":         "to be looked at",
	"internal/content/store.Service.Reads":             "to be looked at",
	"internal/engine/expr.Boolean":                     "to be looked at",
	"internal/engine/markdown.ParseTags":               "to be looked at",
	"internal/engine/markdown.SummaryLink":             "to be looked at",
	"internal/engine/markdown.WriteTags":               "to be looked at",
	"internal/engine/render.ChromaCSS":                 "to be looked at",
	"internal/engine/segment.Field":                    "to be looked at",
	"internal/engine/trie.MemorySource.Reads":          "to be looked at",
	"internal/engine/trie.MemorySource.ResetReads":     "to be looked at",
	"internal/engine/trie.ParseHash":                   "to be looked at",
	"internal/engine/trie.Trie.Changes":                "to be looked at",
	"internal/people/access.Deeds":                     "to be looked at",
	"internal/people/account.Methods.Password":         "to be looked at",
	"internal/people/account.Service.CreateUser":       "to be looked at",
	"internal/people/org.Administrators":               "to be looked at",
	"internal/people/org.Service.AddMember":            "to be looked at",
	"internal/platform/blob.Verified.Wait":             "to be looked at",
	"internal/platform/config.Defaults":                "to be looked at",
	"internal/platform/db.IsCheck":                     "to be looked at",
	"internal/platform/db.SQLTx":                       "to be looked at",
	"internal/platform/fetch.Client.CloseIdle":         "to be looked at",
	"internal/platform/fetch.Client.UserAgent":         "to be looked at",
	"internal/platform/fetch.ParseAllow":               "to be looked at",
	"internal/platform/folder.Room.Free":               "to be looked at",
	"internal/platform/httpx.Annotate":                 "to be looked at",
	"internal/publish/integration.Service.SiteScripts": "waits until integrations are run",
	"internal/publish/site.CodeThemeNames":             "to be looked at",
	"internal/publish/site.Deps.Scripts":               "waits until integrations are run",
	"internal/serve/pub.alone.Style":                   "to be looked at",
}
