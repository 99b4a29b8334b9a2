-- What waits for its time: the first 10,000 to come due are counted, with those that are claimed by lease. due_read: so many were; 10,000 mean
-- that there may be more behind. overdue: due for more than 30 seconds and still there. Nothing is held on H2.
-- Parameters: none
-- Index: the key of delayed_message, 10,000 rows.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.delayed_message, readpast.destination
SELECT d.kind, d.name, y.destination_id,
       COUNT(CASE WHEN y.claim_token IS NULL THEN 1 END)  AS delayed,
       0                                                  AS held,
       COUNT(CASE WHEN y.due_at < CURRENT_TIMESTAMP - INTERVAL '30' SECOND AND y.claim_token IS NULL THEN 1 END)  AS overdue,
       MIN(CASE WHEN y.claim_token IS NULL THEN y.due_at END)  AS next_due_at,
       MAX(y.due_read)  AS due_read,
       0                AS held_read
FROM (SELECT f.destination_id, f.due_at, f.claim_token, COUNT(*) OVER () AS due_read
      FROM (SELECT destination_id, due_at, claim_token FROM readpast.delayed_message
            ORDER BY due_at, message_id FETCH FIRST 10000 ROWS ONLY) f) y
INNER JOIN readpast.destination d ON d.destination_id = y.destination_id
GROUP BY d.kind, d.name, y.destination_id
ORDER BY d.name
