-- What is claimed by lease: the first 10,000 to end.
-- Parameters: none
-- Index: delayed_message by due_at.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.claimed_message, SELECT (instance, host, process) ON readpast.presence
SELECT c.kind, c.name, c.destination_id, c.message_id, c.jms_message_id, c.worker, p.host, p.process, c.attempt, c.claimed_at, c.deadline
FROM readpast.claimed_message c
LEFT JOIN readpast.presence p ON p.instance = c.worker
ORDER BY c.deadline, c.message_id
FETCH FIRST 10000 ROWS ONLY
