// A real OpenID provider on loopback: oidc-provider, with its own pages to sign in, where the name that somebody signs
// in with decides who they are.
import { once } from "node:events";
import Provider from "oidc-provider";
import { freePort } from "./recto.mjs";

/** Starts the provider for one client. people maps a name to its claims. */
export async function startOpenIDProvider({ people, client, redirect }) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  // It warns of what a server for others must not have, such as its own sign-in pages, which are what this test wants.
  const { warn, info } = console;
  console.warn = console.info = () => {};
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirect],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["of the tests"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  });
  const server = provider.listen(port, "127.0.0.1");
  await once(server, "listening");
  const problems = [];
  provider.on("server_error", (_, error) => problems.push(String(error.stack ?? error)));
  return {
    issuer,
    problems,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      Object.assign(console, { warn, info });
    },
  };
}
