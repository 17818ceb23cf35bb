package account

import "github.com/rectodocs/recto/internal/people/secrets"

// The secrets that this package hands out, with 200 random bits each.
var (
	tokenSecrets   = secrets.Kind{Prefix: "rct_", Bytes: 25}
	sessionSecrets = secrets.Kind{Prefix: "rcs_", Bytes: 25}
	linkSecrets    = secrets.Kind{Prefix: "rcl_", Bytes: 25}
)
