-- +goose Up

-- Whether the operator has made somebody an admin, and nobody has changed that since: such people may create organizations where
-- only administrators may. Of those who are there, the log knows whom the operator added as one.
ALTER TABLE organization_member ADD COLUMN admin_by_operator BOOLEAN NOT NULL DEFAULT FALSE;

UPDATE organization_member SET admin_by_operator = TRUE
WHERE role = 'admin' AND EXISTS (SELECT 1 FROM audit_entry e WHERE e.organization_id = organization_member.organization_id
    AND e.target_id = organization_member.user_id AND e.action = 'member.add' AND e.actor_id = '' AND e.details LIKE '%"role":"admin"%');
