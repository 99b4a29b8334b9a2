-- Moves messages of one queue that have expired to another queue, where they never expire. Fails, and moves nothing, where there is no
-- such queue.
-- Parameters: :destination_id, :target_id, :max
-- Index: message_expiry from its start; message_key for each row; [readpast].destination by key.
-- Locks: X on the moved rows; rows that others hold are stepped over.
UPDATE TOP (:max) [readpast].message WITH (READPAST, ROWLOCK)
SET origin_id = destination_id,
    destination_id = :target_id,
    jms_destination = N'queue://' + (SELECT d.name FROM [readpast].destination AS d WHERE d.destination_id = :target_id),
    jms_expiration = 0,
    enqueued_at = SYSUTCDATETIME(),
    expires_at = NULL,
    delivery_count = 0
WHERE expires_at <= SYSUTCDATETIME() AND destination_id = :destination_id
