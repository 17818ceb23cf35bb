-- +goose Up

-- Who left by themselves is noted, too, since lists of people that were made before may still name them. They come back by a
-- link or a domain; who was removed does not. The log knows those who are gone already.
ALTER TABLE org_removed_member ADD COLUMN left_by_self BOOLEAN NOT NULL DEFAULT FALSE;

INSERT INTO org_removed_member (organization_id, user_id, removed_at, left_by_self)
SELECT e.organization_id, e.target_id, MAX(e.created_at), TRUE
FROM audit_entry e JOIN account_user u ON u.id = e.target_id
WHERE e.action = 'member.remove' AND e.actor_id = e.target_id
    AND NOT EXISTS (SELECT 1 FROM organization_member m WHERE m.organization_id = e.organization_id AND m.user_id = e.target_id)
    AND NOT EXISTS (SELECT 1 FROM org_removed_member r WHERE r.organization_id = e.organization_id AND r.user_id = e.target_id)
GROUP BY e.organization_id, e.target_id;
