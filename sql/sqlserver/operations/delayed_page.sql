-- A page of a queue's messages that are delayed, held or claimed by lease, behind a key, without bodies; of dead letters with properties,
-- unless these are long.
-- Parameters: :destination_id, :after_due and :after_id (a moment long ago and 0 for the first), :most
-- Index: delayed_message_destination, one range.
-- Locks: S for a moment on each row; those that are being written or deleted are stepped over, also under row versioning. A large column that is
-- read without locks while its row goes is error 7105, of severity 22.
-- Rights: GRANT SELECT ON [readpast].delayed_message; GRANT SELECT ON [readpast].destination
SELECT m.priority_order, m.message_id, m.jms_message_id, m.jms_type, m.correlation_id, m.group_id, m.jms_timestamp,
       m.enqueued_at, m.expires_at, m.delivery_count, m.body_kind, m.body_length, o.name AS origin,
       CASE WHEN m.origin_id IS NULL THEN 0 ELSE 1 END AS is_dead, CASE WHEN m.held_at IS NOT NULL THEN N'held' WHEN m.claim_token IS NOT NULL THEN N'claimed' ELSE N'delayed' END AS state,
       m.due_at, m.worker, m.held_at, m.claimed_at,
       CASE WHEN m.origin_id IS NOT NULL AND LEN(m.properties) <= 8192 THEN m.properties END AS properties
FROM (
    SELECT TOP (:most) destination_id, priority_order, message_id, jms_message_id, jms_type, correlation_id, group_id, jms_timestamp, enqueued_at, expires_at, delivery_count, body_kind, body_length, origin_id, properties, due_at, worker, held_at, claimed_at, claim_token FROM [readpast].delayed_message WITH (READPAST, READCOMMITTEDLOCK)
    WHERE destination_id = :destination_id
      AND due_at >= CAST(:after_due AS datetime2(3)) AND (due_at > CAST(:after_due AS datetime2(3)) OR message_id > :after_id)
    ORDER BY due_at, message_id) AS m
LEFT JOIN [readpast].destination AS o WITH (NOLOCK) ON o.destination_id = m.origin_id
ORDER BY m.due_at, m.message_id
