-- Notes why the row of a dead letter cannot be read; the row stays as it is. A later reason takes the place of an earlier one.
-- Parameters: :destination_id, :priority_order, :message_id (where it stands now), :origin_id (where it stood), :reason, :deliveries
-- Index: unreadable_message_key, one seek.
-- Locks: the row.
UPDATE [readpast].unreadable_message WITH (ROWLOCK)
SET origin_id = :origin_id, reason = :reason, deliveries = :deliveries, noted_at = SYSUTCDATETIME()
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id;
IF @@ROWCOUNT = 0
    INSERT INTO [readpast].unreadable_message (destination_id, priority_order, message_id, origin_id, reason, deliveries)
    VALUES (:destination_id, :priority_order, :message_id, :origin_id, :reason, :deliveries)
