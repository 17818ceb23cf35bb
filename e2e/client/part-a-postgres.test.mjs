// What the public client sees of part A must not depend on the database: the same tests with PostgreSQL.
process.env.RECTO_E2E_DATABASE = "postgres";
await import("./part-a.test.mjs");
