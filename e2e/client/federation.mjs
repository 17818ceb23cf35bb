import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** SAML providers, and the ways to sign in. */
export function drive(world) {
  test("SAML providers", async () => {
    const { api, organization, server } = world;
    const { stdout: certificate } = await run("openssl", [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "30",
      "-subj",
      "/CN=provider",
      "-keyout",
      "/dev/null",
    ]);
    const { data: made } = await api.orgs.createOrganizationSamlProvider(organization, {
      label: "Login", ssoURL: "https://idp.example.org/sso", entityID: "https://idp.example.org", defaultRole: "edit",
    });
    assert.equal(made.status, "pending");
    assert.equal(made.service.acsURL, `${server.base}/signin/saml/${made.id}/acs`);
    assert.match(await (await fetch(made.service.entityID)).text(), /EntityDescriptor/);

    const { data: active } = await api.orgs.updateOrganizationSamlProvider(organization, made.id, {
      certificate,
      defaultRole: null,
    });
    assert.equal(active.status, "active");
    assert.equal(active.certificate, certificate);
    assert.equal(active.defaultRole, null);
    const { data: found } = await api.orgs.getOrganizationSamlProviderById(organization, made.id);
    assert.deepEqual(found, active);
    const { data: list } = await api.orgs.listSamlProvidersInOrganizationById(organization, { limit: 10 });
    assert.deepEqual(list.items, [active]);

    const { data: logins } = await api.orgs.listSsoProviderLoginsInOrganization(organization);
    assert.deepEqual(logins.items, [{ id: made.id, label: "Login", startURL: made.service.startURL }]);
    const begun = await fetch(made.service.startURL, { redirect: "manual" });
    assert.equal(begun.status, 303);
    assert.match(begun.headers.get("location"), /^https:\/\/idp\.example\.org\/sso\?.*SAMLRequest=.*Signature=/);

    await api.orgs.deleteOrganizationSamlProvider(organization, made.id);
    const gone = await fetch(made.urls.location, { headers: { authorization: `Bearer ${server.token}` } });
    assert.equal(gone.status, 404);
  });
}
