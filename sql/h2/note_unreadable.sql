-- Notes why the row of a dead letter cannot be read; the row stays as it is. A later reason takes the place of an earlier one.
-- Parameters: :destination_id, :priority_order, :message_id (where it stands now), :origin_id (where it stood), :reason, :deliveries
-- Index: primary key of readpast.unreadable_message, one seek.
-- Locks: the row.
MERGE INTO readpast.unreadable_message (destination_id, priority_order, message_id, origin_id, reason, deliveries, noted_at)
KEY (destination_id, priority_order, message_id)
VALUES (:destination_id, :priority_order, :message_id, :origin_id, :reason, :deliveries,
    /* include now */)
