-- The request that a reply answers by its id.
-- Parameters: :bridge, :new_id
-- Index: primary key of readpast.bridge_pair, one seek.
-- Locks: none.
SELECT old_id, reply_to
FROM readpast.bridge_pair
WHERE bridge = :bridge AND new_id = :new_id
