-- One row if a subscription still has messages: after all others were removed, those that somebody has claimed.
-- Parameters: :destination_id
-- Index: primary key of [readpast].message, one seek.
-- Locks: none.
SELECT 1 WHERE EXISTS (SELECT 1 FROM [readpast].message WITH (NOLOCK) WHERE destination_id = :destination_id)
