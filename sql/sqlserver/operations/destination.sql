-- The queue, topic or subscription of an id.
-- Parameters: :destination_id
-- Index: the key of destination, one seek.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].destination
SELECT kind, name, destination_id FROM [readpast].destination WITH (NOLOCK) WHERE destination_id = :destination_id AND kind <> 'W'
