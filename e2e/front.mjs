// What stands before a server on the open network: TLS, hosts of its own, and a folder of somebody else's domain.
import { execFile } from "node:child_process";
import { request } from "node:http";
import { createServer } from "node:https";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Passes requests for hosts on to a server, as they are. Those for the host `folder.host` below the path `folder.path`
 * go to the address `folder.to()` of the server, as its manual tells people to; all else on that host is theirs, and is
 * kept in strays. Chromium finds the hosts with the argument `rules`.
 */
export async function startFront(server, hosts, folder) {
  const made = await mkdtemp(join(tmpdir(), "recto-front-"));
  const file = (name) => join(made, name);
  await run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=front",
    "-keyout",
    file("key"),
    "-out",
    file("certificate"),
  ]);
  const target = new URL(server);
  const strays = [];
  const front = createServer(
    { key: await readFile(file("key")), cert: await readFile(file("certificate")) },
    (from, to) => {
      const headers = { ...from.headers, "x-forwarded-for": from.socket.remoteAddress };
      let path = from.url;
      if (from.headers.host === folder.host) {
        if (!path.startsWith(folder.path)) {
          strays.push(path);
          return to.writeHead(404).end("Not a page of the docs.");
        }
        const behind = new URL(folder.to());
        path = behind.pathname + path.slice(folder.path.length);
        headers.host = behind.host;
        headers["x-forwarded-host"] = folder.host;
      }
      const passed = request(
        { host: target.hostname, port: target.port, method: from.method, path, headers },
        (answer) => {
          to.writeHead(answer.statusCode, answer.headers);
          answer.pipe(to);
        },
      );
      passed.on("error", () => to.destroy());
      from.pipe(passed);
    },
  );
  await new Promise((done) => front.listen(0, "127.0.0.1", done));
  await rm(made, { recursive: true });
  return {
    strays,
    rules: [...hosts, folder.host].map((host) => `MAP ${host}:443 127.0.0.1:${front.address().port}`).join(","),
    stop() {
      front.closeAllConnections();
      return new Promise((done) => front.close(done));
    },
  };
}
