// Package dialect owns what reading and writing Markdown share: the table of block tags with their attributes, the
// names of emoji, what a text, a name and an address may hold, and how a table is put together.
//
// Promises:
//   - A block tag is said once, in the table of tags: reading, normalising and writing walk it.
//   - Functions that clean a text are idempotent, so that what was read and written is read as the same again.
//
// It knows no parser and no writer.
package dialect
