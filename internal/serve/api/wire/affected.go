package wire

// Affected are members from whom a change takes rights.
type Affected struct {
	// Count is how many they are; up to 100 of them are in members, those who lose most first.
	Count   int              `json:"count"`
	Members []AffectedMember `json:"members"`
}

// AffectedMember is somebody from whom a change takes rights.
type AffectedMember struct {
	User User `json:"user"`
	// From and To are the role before and after; null means no access.
	From RoleOrNull `json:"from"`
	To   RoleOrNull `json:"to"`
}
