-- What administrators did to messages, the last first: up to 10,000.
-- Parameters: none
-- Index: the key of readpast.audit, backwards.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.audit
SELECT audit_id, done_at, login, claimed_user, action, queue, target, messages
FROM readpast.audit
ORDER BY audit_id DESC
LIMIT 10000
