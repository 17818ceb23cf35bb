// Package treefile owns how the files of a content tree are written: the file of a page with its front matter,
// SUMMARY.md, .gitbook.yaml and vars.yaml.
//
// Promises:
//   - What was read and nobody changed keeps its bytes, comments and spelling included.
//   - Keys of front matter that the dialect does not know are kept as they are.
//   - A file is read within the bounds of its Max constant, or refused with an errs.Error that says what is wrong.
//
// A page's body is the business of package markdown, and where a file is that of package pagefile. The package is pure.
package treefile
