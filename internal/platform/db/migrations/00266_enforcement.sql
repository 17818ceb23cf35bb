-- +goose Up

-- Enforced single sign-on concerns the sessions and tokens with which an organization is entered, and no longer how somebody
-- signs in to their account. through: the id of the organization through whose identity provider a session came, or the session
-- that a token was made in; 'operator' for tokens that the operator made; empty for all else.
ALTER TABLE account_session ADD COLUMN through TEXT NOT NULL DEFAULT '';
ALTER TABLE account_token ADD COLUMN through TEXT NOT NULL DEFAULT '';

-- Sessions of a provider came through the organization that vouches for them, or through the only one that could have been.
UPDATE account_session SET through = CASE WHEN vouched_by <> '' THEN vouched_by ELSE COALESCE((
    SELECT MIN(p.organization_id) FROM identity_link l JOIN identity_provider p ON p.id = l.provider_id
    WHERE l.user_id = account_session.user_id HAVING COUNT(DISTINCT p.organization_id) = 1), '') END
WHERE method IN ('saml', 'oidc');

-- Tokens that are there went on where single sign-on was enforced, and do so.
UPDATE account_token SET through = 'operator';

-- When a member accepted that the organization opens through its single sign-on alone: they came through its provider, took up an
-- invite that said so, turned it on, or said yes when they were asked. Null: they are asked when they enter next.
ALTER TABLE organization_member ADD COLUMN sso_accepted_at BIGINT;

UPDATE organization_member SET sso_accepted_at = (
    SELECT MIN(l.created_at) FROM identity_link l JOIN identity_provider p ON p.id = l.provider_id
    WHERE l.user_id = organization_member.user_id AND p.organization_id = organization_member.organization_id);

CREATE INDEX organization_enforcing ON organization (id) WHERE sso;
