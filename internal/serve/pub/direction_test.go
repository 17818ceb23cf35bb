package pub

import (
	"testing"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// An article runs as its text does, the page around it as the site's language.
func TestDirectionOfPages(t *testing.T) {
	f := handbook(t)
	f.put(document("arabic", "بالعربية",
		"هذا نص تجريبي مكتوب باللغة العربية.\n\n## قائمة\n\n* واحد\n\n## ثان\n\nنص.\n"),
		with(document("plain", "Plain", "Text.\n"), func(*entity.Entry) {}))
	page := parse(t, f.get("arabic"))
	if got := page.Find("html").AttrOr("dir", ""); got != "" {
		t.Errorf("the page around an Arabic article runs %q", got)
	}
	for _, part := range []string{"article", "aside.outline"} {
		if got := page.Find(part).AttrOr("dir", ""); got != "rtl" {
			t.Errorf("the Arabic %s runs %q", part, got)
		}
	}
	if got := parse(t, f.get("plain")).Find("[dir]").Length(); got != 0 {
		t.Errorf("a page in one direction has %d attributes dir", got)
	}
}
