// A real SAML identity provider on loopback: SimpleSAMLphp from Debian, with people who sign in with a name and a
// password.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, root } from "./recto.mjs";

const run = promisify(execFile);

const php = (value) => JSON.stringify(value).replaceAll("$", "\\$");

/**
 * Starts the provider. people maps a user name to {password, mail, displayName}. It is reached as localhost, so that
 * for a browser it is another site than 127.0.0.1.
 */
export async function startIdentityProvider(people) {
  const { stdout } = await run(join(root, "scripts", "identity-provider"), { timeout: 300_000 });
  const program = stdout.trim();
  const folder = await mkdtemp(join(tmpdir(), "recto-idp-"));
  const port = await freePort();
  const base = `http://localhost:${port}`;
  await Promise.all(["metadata", "log", "data", "temp", "sessions", "cert"].map((name) => mkdir(join(folder, name))));

  await run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "30",
    "-subj",
    "/CN=identity provider",
    "-keyout",
    join(folder, "cert", "idp.key"),
    "-out",
    join(folder, "cert", "idp.crt"),
  ]);
  await writeFile(
    join(folder, "config.php"),
    `<?php
$config = [
  'baseurlpath' => ${php(base + "/")}, 'certdir' => ${php(join(folder, "cert/"))}, 'loggingdir' => ${php(join(folder, "log/"))},
  'datadir' => ${php(join(folder, "data/"))}, 'tempdir' => ${php(join(folder, "temp"))}, 'metadatadir' => ${php(join(folder, "metadata"))},
  'technicalcontact_name' => 'Tests', 'technicalcontact_email' => 'na@example.org', 'timezone' => 'UTC',
  'secretsalt' => 'a salt of the tests', 'auth.adminpassword' => 'nobody needs it', 'enable.saml20-idp' => true,
  'logging.handler' => 'errorlog', 'logging.level' => 4, 'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
  'store.type' => 'phpsession', 'session.phpsession.savepath' => ${php(join(folder, "sessions"))}, 'session.cookie.secure' => false,
  'language.default' => 'en', 'metadata.sources' => [['type' => 'flatfile']],
];
`,
  );
  const users = Object.entries(people).map(
    ([name, each]) =>
      `${php(`${name}:${each.password}`)} => ['uid' => [${php(name)}], 'mail' => [${php(each.mail)}], 'displayName' => [${php(each.displayName)}]]`,
  );
  await writeFile(
    join(folder, "authsources.php"),
    `<?php
$config = ['people' => ['exampleauth:UserPass', ${users.join(", ")}]];
`);
  await writeFile(join(folder, "metadata", "saml20-idp-hosted.php"), `<?php
$metadata['__DYNAMIC:1__'] = [
  'host' => '__DEFAULT__', 'privatekey' => 'idp.key', 'certificate' => 'idp.crt', 'auth' => 'people',
  'NameIDFormat' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'authproc' => [3 => ['class' => 'saml:AttributeNameID', 'attribute' => 'uid', 'Format' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent']],
];
`,
  );
  const register = (parties) =>
    writeFile(
      join(folder, "metadata", "saml20-sp-remote.php"),
      `<?php
${parties
  .map(
    ({
      metadata,
      options = {},
    }) => `foreach (SimpleSAML\\Metadata\\SAMLParser::parseDescriptorsString(base64_decode(${php(Buffer.from(metadata).toString("base64"))})) as $id => $entity) {
  $metadata[$id] = array_merge($entity->getMetadata20SP(), json_decode(${php(JSON.stringify(options))}, true));
}`).join("\n")}
`);
  await register([]);

  const child = spawn(
    "php",
    [
      "-d",
      "error_reporting=E_ALL & ~E_DEPRECATED",
      "-d",
      "display_errors=0",
      "-S",
      `localhost:${port}`,
      "-t",
      join(program, "www"),
    ],
    {
      env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder, PHP_CLI_SERVER_WORKERS: "2" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    },
  );
  let log = "";
  child.stdout.on("data", (chunk) => (log += chunk));
  child.stderr.on("data", (chunk) => (log += chunk));
  const exited = new Promise((done) => child.once("exit", done));

  const entityID = `${base}/saml2/idp/metadata.php`;
  let metadata = "";
  for (const deadline = Date.now() + 30_000; ; ) {
    if (child.exitCode !== null) throw new Error(`the identity provider ended with ${child.exitCode}:\n${log}`);
    try {
      const response = await fetch(entityID);
      metadata = await response.text();
      if (response.ok) break;
    } catch {
      // Not listening yet.
    }
    if (Date.now() > deadline)
      throw new Error(`the identity provider is not ready:\n${metadata.slice(0, 2000)}\n${log}`);
    await new Promise((done) => setTimeout(done, 100));
  }

  return {
    base, entityID, metadata,
    ssoURL: `${base}/saml2/idp/SSOService.php`,
    certificate: await readFile(join(folder, "cert", "idp.crt"), "utf8"),
    /** Tells the provider which servers it signs people in to: {metadata, options} each. */
    register,
    log: () => log,
    async stop() {
      // The server of PHP has children of its own.
      process.kill(-child.pid, "SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
