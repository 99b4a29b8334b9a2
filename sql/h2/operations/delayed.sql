-- What waits for its time, among the first 10,000 to come due. overdue: due for more than 30 seconds and still there. Nothing is held on H2.
-- Parameters: none
-- Index: the key of delayed_message, 10,000 rows.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.delayed_message, readpast.destination
SELECT d.kind, d.name, y.destination_id,
       COUNT(*)  AS delayed,
       0         AS held,
       COUNT(CASE WHEN y.due_at < CURRENT_TIMESTAMP - INTERVAL '30' SECOND THEN 1 END)  AS overdue,
       MIN(y.due_at)  AS next_due_at
FROM (SELECT destination_id, due_at, claim_token FROM readpast.delayed_message
      ORDER BY due_at, message_id FETCH FIRST 10000 ROWS ONLY) y
INNER JOIN readpast.destination d ON d.destination_id = y.destination_id
WHERE y.claim_token IS NULL
GROUP BY d.kind, d.name, y.destination_id
ORDER BY d.name
