-- One row if a subscription still has messages: after all others were removed, those that somebody has claimed, by
-- lock or by lease.
-- Parameters: :destination_id
-- Index: primary key of [readpast].message, and delayed_message_destination, one seek each.
-- Locks: none.
SELECT 1
WHERE EXISTS (SELECT 1 FROM [readpast].message WITH (NOLOCK) WHERE destination_id = :destination_id)
    OR EXISTS (SELECT 1 FROM [readpast].delayed_message WITH (NOLOCK) WHERE destination_id = :destination_id)
