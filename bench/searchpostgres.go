package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rectodocs/recto/internal/content/search/judge"
)

// configurations are PostgreSQL's for the languages of the texts.
var configurations = map[string]string{"de": "german", "german": "german", "fr": "french", "french": "french",
	"es": "spanish", "spanish": "spanish", "ja": "simple", "japanese": "simple", "zh-cn": "simple",
	"chinese": "simple"}

// askPostgres asks PostgreSQL's full text search, set up as its manual advises: titles and headings weigh more
// (12.4.1), a query is what people type (12.3.2), the last word may be unfinished, misspelt words are corrected with
// trigrams of all words (F.35.5), and what has some of the words follows what has all.
func askPostgres(ctx context.Context, corpora map[string][]judge.Page, queries []judge.Query) ([][]string, error) {
	server, err := pgx.Connect(ctx, os.Getenv("RECTO_TEST_POSTGRES"))
	if err != nil {
		return nil, err
	}
	defer server.Close(ctx)
	name := fmt.Sprintf("judge_%d", os.Getpid())
	if _, err := server.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return nil, err
	}
	defer func() { _, _ = server.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)") }()
	address, err := url.Parse(os.Getenv("RECTO_TEST_POSTGRES"))
	if err != nil {
		return nil, err
	}
	address.Path = "/" + name
	connection, err := pgx.Connect(ctx, address.String())
	if err != nil {
		return nil, err
	}
	defer connection.Close(ctx)
	if _, err := connection.Exec(ctx, `CREATE EXTENSION pg_trgm;
		CREATE TABLE page (corpus text, id text, words tsvector, plain tsvector);
		CREATE TABLE word (corpus text, word text, pages int)`); err != nil {
		return nil, err
	}
	for corpus, pages := range corpora {
		for _, page := range pages {
			configuration := "english"
			if language, _, found := strings.Cut(page.ID, "/"); found && corpus == "languages" {
				configuration = configurations[language]
			}
			var headings, text strings.Builder
			for _, section := range page.Sections {
				headings.WriteString(section.Title + "\n")
				text.WriteString(section.Text + "\n")
			}
			// A vector holds up to a megabyte.
			body := text.String()
			body = strings.ToValidUTF8(body[:min(len(body), 300_000)], "")
			if _, err := connection.Exec(ctx, `INSERT INTO page VALUES ($1, $2,
				setweight(to_tsvector($3::regconfig, $4), 'A') || setweight(to_tsvector($3::regconfig, $5), 'B') ||
				setweight(to_tsvector($3::regconfig, $6), 'D'), to_tsvector('simple', $4 || ' ' || $5 || ' ' || $6))`,
				corpus, page.ID, configuration, page.Title, headings.String(), body); err != nil {
				return nil, fmt.Errorf("page %s: %w", page.ID, err)
			}
		}
		if _, err := connection.Exec(ctx, fmt.Sprintf(`INSERT INTO word SELECT '%[1]s', word, ndoc
			FROM ts_stat('SELECT plain FROM page WHERE corpus = ''%[1]s''')`, corpus)); err != nil {
			return nil, err
		}
	}
	if _, err := connection.Exec(ctx, `CREATE INDEX ON word USING gin (word gin_trgm_ops); ANALYZE`); err != nil {
		return nil, err
	}
	answers := make([][]string, len(queries))
	for at, query := range queries {
		if answers[at], err = askOnePostgres(ctx, connection, query); err != nil {
			return nil, fmt.Errorf("%q: %w", query.Text, err)
		}
	}
	return answers, nil
}

var lastWord = regexp.MustCompile(`[\pL\pN_]+$`)

func askOnePostgres(ctx context.Context, connection *pgx.Conn, query judge.Query) ([]string, error) {
	configuration := configurations[query.Kind]
	if configuration == "" {
		configuration = "english"
	}
	text := query.Text
	for _, word := range regexp.MustCompile(`[\pL]{4,}`).FindAllString(text, -1) {
		var meant string
		err := connection.QueryRow(ctx, `SELECT word FROM word WHERE corpus = $1 AND word % lower($2) AND NOT EXISTS
			(SELECT FROM word WHERE corpus = $1 AND word LIKE lower($2) || '%')
			ORDER BY similarity(word, lower($2)) DESC, pages DESC LIMIT 1`, query.Corpus, word).Scan(&meant)
		if err == nil {
			text = strings.Replace(text, word, meant, 1)
		}
	}
	prefix := lastWord.FindString(text)
	rows, err := connection.Query(ctx, `WITH q AS (SELECT websearch_to_tsquery($2::regconfig, $3) AS typed,
			CASE WHEN $4 = '' THEN ''::tsquery ELSE to_tsquery('simple', $4 || ':*') END AS beginning),
		asked AS (SELECT typed, CASE WHEN numnode(beginning) = 0 THEN typed
				ELSE websearch_to_tsquery($2::regconfig, $5) && beginning || typed END AS whole,
			replace(typed::text, '&', '|')::tsquery || beginning AS parts FROM q)
		SELECT id FROM page, asked WHERE corpus = $1 AND (words @@ whole OR words @@ parts)
		ORDER BY words @@ whole DESC, ts_rank_cd(words, CASE WHEN words @@ whole THEN whole ELSE parts END, 1) DESC, id
		LIMIT 10`, query.Corpus, configuration, text, strings.ToLower(prefix), strings.TrimSuffix(text, prefix))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
