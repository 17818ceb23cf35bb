-- +goose Up

-- Who vouches for the way in that a credential comes from: '' when its person or the operator has proved it, otherwise the id of the
-- organization whose identity provider alone said who it is. Such a credential opens that organization and no other one.
ALTER TABLE account_session ADD COLUMN vouched_by TEXT NOT NULL DEFAULT '';
ALTER TABLE account_token ADD COLUMN vouched_by TEXT NOT NULL DEFAULT '';
ALTER TABLE account_password ADD COLUMN vouched_by TEXT NOT NULL DEFAULT '';
ALTER TABLE account_passkey ADD COLUMN vouched_by TEXT NOT NULL DEFAULT '';
ALTER TABLE identity_emergency_code ADD COLUMN vouched_by TEXT NOT NULL DEFAULT '';

-- Where the credentials came from that are there already was not noted. 'unknown' is for those that may have come from an identity
-- provider without its being known from which; they end below.
--
-- Sessions that a provider began are marked by its organization when it can be no other one, and end otherwise.
UPDATE account_session SET vouched_by = COALESCE((
    SELECT MIN(p.organization_id) FROM identity_link l JOIN identity_provider p ON p.id = l.provider_id
    WHERE l.user_id = account_session.user_id HAVING COUNT(DISTINCT p.organization_id) = 1), 'unknown')
WHERE method IN ('saml', 'oidc');

-- Of the other ones those may have come from a provider that were made before the address of their account was proven, and those of an
-- account that a provider opens without its owner's word, from the first time on that it did.
UPDATE account_token SET vouched_by = COALESCE((
    SELECT MIN(p.organization_id) FROM identity_link l JOIN identity_provider p ON p.id = l.provider_id
    WHERE l.user_id = account_token.user_id AND NOT l.confirmed HAVING COUNT(DISTINCT p.organization_id) = 1), 'unknown')
WHERE NOT EXISTS (SELECT 1 FROM account_user u WHERE u.id = account_token.user_id AND u.email_verified_at <= account_token.created_at)
    OR EXISTS (SELECT 1 FROM identity_link l WHERE l.user_id = account_token.user_id AND NOT l.confirmed AND l.created_at <= account_token.created_at);

UPDATE account_password SET vouched_by = COALESCE((
    SELECT MIN(p.organization_id) FROM identity_link l JOIN identity_provider p ON p.id = l.provider_id
    WHERE l.user_id = account_password.user_id AND NOT l.confirmed HAVING COUNT(DISTINCT p.organization_id) = 1), 'unknown')
WHERE NOT EXISTS (SELECT 1 FROM account_user u WHERE u.id = account_password.user_id AND u.email_verified_at <= account_password.changed_at)
    OR EXISTS (SELECT 1 FROM identity_link l WHERE l.user_id = account_password.user_id AND NOT l.confirmed AND l.created_at <= account_password.changed_at);

UPDATE account_passkey SET vouched_by = COALESCE((
    SELECT MIN(p.organization_id) FROM identity_link l JOIN identity_provider p ON p.id = l.provider_id
    WHERE l.user_id = account_passkey.user_id AND NOT l.confirmed HAVING COUNT(DISTINCT p.organization_id) = 1), 'unknown')
WHERE NOT EXISTS (SELECT 1 FROM account_user u WHERE u.id = account_passkey.user_id AND u.email_verified_at <= account_passkey.created_at)
    OR EXISTS (SELECT 1 FROM identity_link l WHERE l.user_id = account_passkey.user_id AND NOT l.confirmed AND l.created_at <= account_passkey.created_at);

-- What signs in with a password or a passkey has its mark; a session does not say with which passkey it began, so that those of an
-- account with a marked one count as marked, too.
UPDATE account_session SET vouched_by = (SELECT p.vouched_by FROM account_password p WHERE p.user_id = account_session.user_id)
WHERE method = 'password' AND EXISTS (SELECT 1 FROM account_password p WHERE p.user_id = account_session.user_id);
UPDATE account_session SET vouched_by = (SELECT MAX(p.vouched_by) FROM account_passkey p WHERE p.user_id = account_session.user_id)
WHERE method = 'passkey' AND EXISTS (SELECT 1 FROM account_passkey p WHERE p.user_id = account_session.user_id);

-- An emergency code is made anew in a moment, and whoever made it may have come from anywhere: it opens its own organization.
UPDATE identity_emergency_code SET vouched_by = organization_id;

DELETE FROM account_session WHERE vouched_by = 'unknown';
DELETE FROM account_password WHERE vouched_by = 'unknown';
DELETE FROM account_passkey WHERE vouched_by = 'unknown';
-- No clock is at hand: what ends here counts as revoked since it was last used.
UPDATE account_token SET revoked_at = COALESCE(revoked_at, last_used_at, created_at) WHERE vouched_by = 'unknown';
