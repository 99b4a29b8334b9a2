-- What waits for its time, and what an administrator holds. Of the former the first 10,000 to come due are counted, with those that are claimed
-- by lease; of the latter, which are due in the year 9999, 10,000 too. due_read, held_read: so many were; 10,000 mean that there may be more behind.
-- overdue: due for more than 30 seconds and still there.
-- Parameters: none
-- Index: the key of delayed_message, two ranges of 10,000 rows.
-- Locks: none.
-- Rights: GRANT SELECT (due_at, message_id, destination_id, claim_token, held_at) ON readpast.delayed_message, SELECT ON readpast.destination
SELECT d.kind, d.name, y.destination_id,
       COUNT(CASE WHEN y.held_at IS NULL AND y.claim_token IS NULL THEN 1 END)  AS delayed,
       COUNT(y.held_at)                                                         AS held,
       COUNT(CASE WHEN y.due_at < statement_timestamp() - INTERVAL '30' SECOND AND y.claim_token IS NULL THEN 1 END)  AS overdue,
       MIN(CASE WHEN y.held_at IS NULL AND y.claim_token IS NULL THEN y.due_at END)  AS next_due_at,
       MAX(y.due_read)   AS due_read,
       MAX(y.held_read)  AS held_read
FROM (SELECT f.destination_id, f.due_at, f.claim_token, f.held_at, COUNT(*) OVER () AS due_read, 0 AS held_read
      FROM (SELECT destination_id, due_at, claim_token, held_at FROM readpast.delayed_message
            WHERE due_at < TIMESTAMPTZ '9999-12-31 00:00:00+00'
            ORDER BY due_at, message_id LIMIT 10000) f
      UNION ALL
      SELECT l.destination_id, l.due_at, l.claim_token, l.held_at, 0, COUNT(*) OVER ()
      FROM (SELECT destination_id, due_at, claim_token, held_at FROM readpast.delayed_message
            WHERE due_at >= TIMESTAMPTZ '9999-12-31 00:00:00+00'
            ORDER BY due_at, message_id LIMIT 10000) l) y
INNER JOIN readpast.destination d ON d.destination_id = y.destination_id
GROUP BY d.kind, d.name, y.destination_id
ORDER BY d.name
