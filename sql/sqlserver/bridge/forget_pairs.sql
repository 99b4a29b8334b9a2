-- Removes pairs of ids that are too old for a reply.
-- Parameters: :bridge, :made_before
-- Index: bridge_pair_age, one stretch of it.
-- Locks: the rows removed.
DELETE FROM [readpast].bridge_pair
WHERE bridge = :bridge AND made_at < :made_before
