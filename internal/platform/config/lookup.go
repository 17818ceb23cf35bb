package config

// Lookup returns a function that says what the environment or the configuration file gives for a flag, "" for nothing.
// It is for commands that kong does not parse; the file is the one that Options reads.
func Lookup(args []string, getenv func(string) string) (func(flag string) string, error) {
	values := map[string]string{}
	if path := configPath(args, getenv); path != "" {
		read, err := readFile(path)
		if err != nil {
			return nil, err
		}
		values = read
	}
	return func(flag string) string {
		if value := getenv(Variable(flag)); value != "" {
			return value
		}
		return values[flag]
	}, nil
}
