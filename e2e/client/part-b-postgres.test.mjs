// What the public client sees of part B must not depend on the database: the same tests with PostgreSQL.
process.env.RECTO_E2E_DATABASE = "postgres";
await import("./part-b.test.mjs");
