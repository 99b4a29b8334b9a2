-- A message that has come to another queue, as a dead letter or expired: what is set, behind origin_id. Without locks, as who has changed the queue
-- otherwise may take long to commit it.
,
    destination_id = :target_id,
    jms_destination = N'queue://' + (SELECT d.name FROM [readpast].destination AS d WITH (NOLOCK) WHERE d.destination_id = :target_id AND d.kind = N'Q' AND d.name = :target),
    jms_expiration = 0,
    enqueued_at = SYSUTCDATETIME(),
    expires_at = NULL,
    delivery_count = 0
