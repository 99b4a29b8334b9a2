-- To whom requests with this correlation id want their replies.
-- Parameters: :bridge, :correlation_id
-- Index: bridge_pair_correlation, one stretch of it.
-- Locks: none.
SELECT DISTINCT reply_to
FROM [readpast].bridge_pair
WHERE bridge = :bridge AND correlation_id = :correlation_id AND reply_to IS NOT NULL
