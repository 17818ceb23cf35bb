-- +goose Up

-- Invitations by e-mail are listed, sent anew and declined. handed_over: the secret was given to the admin instead of being
-- sent, because the server had no mail server; such a secret does not show whose the address is. sent_at is when the secret
-- was made. mail_id is what the outbox knows the message by, delivery how far it had come when that was last noted: empty when
-- nothing is known of it.
ALTER TABLE org_invite ADD COLUMN handed_over BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE org_invite ADD COLUMN sent_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE org_invite ADD COLUMN declined_at BIGINT;
ALTER TABLE org_invite ADD COLUMN mail_id TEXT NOT NULL DEFAULT '';
ALTER TABLE org_invite ADD COLUMN delivery TEXT NOT NULL DEFAULT '' CHECK (delivery IN ('', 'none', 'queued', 'sent', 'failing', 'failed'));

UPDATE org_invite SET sent_at = created_at;

CREATE INDEX org_invite_order ON org_invite (organization_id, id);
CREATE INDEX org_invite_delivery ON org_invite (delivery) WHERE delivery IN ('queued', 'failing');
