// Package wire owns the JSON of what answers of several resources hold: users, organizations, spaces, pages, change
// requests and the like, with the lists, times, roles and paths that they share. What one resource alone answers with
// is in the package of that resource.
//
// Domain types and rows do not leave their packages as JSON: a Writer turns them into the types of this package. What
// has to be read for that, such as the sites that show a space, is read by a writer of its own, for all objects of an
// answer together. The names of types are the names of schemas in the OpenAPI document, so they are unique over all
// packages of the API.
package wire
