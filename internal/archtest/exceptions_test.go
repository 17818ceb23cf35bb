package archtest

// withoutCaller has what nothing but tests uses, with the reason why it stays.
var withoutCaller = map[string]string{
	"internal/app.App.Handler":                           "tests ask the server without a listener",
	"internal/platform/folder.Room.Free":                 "tests say how much room there is",
	"internal/platform/fetch.Client.CloseIdle":           "tests leave no connection behind",
	"internal/platform/blob.Verified.Wait":               "tests wait for what is done behind",
	"internal/people/access.Deeds":                       "tests hold every operation against this table",
	"internal/people/account.Service.CreateUser":         "tests make people with it",
	"internal/people/org.Service.AddMember":              "tests make members with it",
	"internal/content/store.Service.Reads":               "tests count what a change costs",
	"internal/content/link.Service.Reads":                "tests count what a change costs",
	"internal/content/importer/filetree.Directory":       "tests read folders",
	"internal/publish/site/customization.CodeThemeNames": "tests hold that each theme has its colours",
	"internal/serve/pub/page.alone.Style":                "a template calls it",
	"internal/publish/integration.Tokens":                "tests make tokens as the server does for scripts",
	"internal/publish/integration.Service.SiteScripts":   "waits until integrations are run",
	"internal/publish/site.Hooks.Scripts":                "waits until integrations are run",
	"internal/engine/expr.Boolean":                       "tests compute conditions with it",
	"internal/engine/segment.Field":                      "tests make units with it",
}
