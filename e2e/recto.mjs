// Starts the real binary on a fresh data directory, and talks to it as a user's programs would.
import { spawn, execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createServer } from "node:net";

const run = promisify(execFile);
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const binary = process.env.RECTO_BINARY ?? join(root, "bin", "recto");

/** A TCP port on loopback that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Runs one recto command and returns what it printed on standard output. */
export async function recto(args, env = {}) {
  const { stdout } = await run(binary, args, { env: { ...process.env, ...env }, maxBuffer: 64 << 20 });
  return stdout;
}

/** Makes an empty database on the PostgreSQL server of RECTO_TEST_POSTGRES and returns its URL. */
async function postgresDatabase() {
  const server = process.env.RECTO_TEST_POSTGRES;
  if (!server) throw new Error("RECTO_TEST_POSTGRES names no PostgreSQL server; run scripts/with-postgres");
  const name = `recto_e2e_${process.pid}_${Date.now()}`;
  await run("psql", [server, "--quiet", "--command", `CREATE DATABASE ${name}`]);
  // Not with URL, which knows no address without a host: the server may be at a socket.
  return server.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

/**
 * Makes an organization in a new data directory and serves it: with SQLite, or with a database on PostgreSQL where
 * RECTO_E2E_DATABASE says so. host is the name of this machine in its address.
 */
export async function startRecto({ flags = [], host = "127.0.0.1" } = {}) {
  // Every command that follows means this server's database.
  if (process.env.RECTO_E2E_DATABASE === "postgres") process.env.RECTO_DATABASE_URL = await postgresDatabase();
  const data = await mkdtemp(join(tmpdir(), "recto-e2e-"));
  const made = JSON.parse(
    await recto(["init", "--data", data, "--email", "ada@example.org", "--name", "Ada", "--org", "Example"]),
  );
  const port = await freePort();
  const base = `http://${host}:${port}`;
  // A name that only the browser finds is this machine all the same.
  const here = `http://127.0.0.1:${port}`;
  let log = "";
  let child, exited;
  /** Starts the server, and waits until it answers. */
  async function serve() {
    child = spawn(binary, ["serve", "--data", data, "--listen", `127.0.0.1:${port}`, "--base-url", base, ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.on("data", (chunk) => (log += chunk));
    child.stderr.on("data", (chunk) => (log += chunk));
    exited = new Promise((done) => child.once("exit", done));
    const deadline = Date.now() + 30_000;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`recto serve ended with ${child.exitCode}:\n${log}`);
      try {
        if ((await fetch(`${here}/readyz`)).ok) return;
      } catch {
        // Not listening yet.
      }
      if (Date.now() > deadline) throw new Error(`recto serve is not ready:\n${log}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  await serve();

  const api = async (method, path, body) => {
    const response = await fetch(here + path, {
      method,
      headers: { authorization: `Bearer ${made.token}`, ...(body ? { "content-type": "application/json" } : {}) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  };

  const organization = `/v1/orgs/${made.organization}`;

  return {
    ...made, base, data, api,
    /** Makes a space with pages, Markdown by title, and returns its id. */
    async space(title, pages) {
      const { id } = await api("POST", `${organization}/spaces`, { title });
      const changes = Object.entries(pages).map(([name, markdown]) => ({
        operation: "insert_page",
        title: name,
        document: { markdown },
      }));
      await api("POST", `/v1/spaces/${id}/content`, { changes });
      return id;
    },
    /** Publishes spaces as a site, and returns its path in the API and its address for readers. */
    async site(title, spaces, visibility = "public") {
      const { id } = await api("POST", `${organization}/sites`, { title, visibility, spaces });
      const path = `${organization}/sites/${id}`;
      return { path, url: (await api("POST", `${path}/publish`)).urls.published };
    },
    client: { RECTO_SERVER: base, RECTO_TOKEN: made.token },
    log: () => log,
    /** Ends the server as a loss of power would. */
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    /** Starts the server again after kill. */
    again: serve,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      await rm(data, { recursive: true, force: true });
    },
  };
}
