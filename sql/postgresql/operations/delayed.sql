-- What waits for its time, and what an administrator holds, among the first 10,000 to come due; held ones are due in the year 9999. overdue: due for more than 30
-- seconds and still there.
-- Parameters: none
-- Index: the key of delayed_message, 10,000 rows.
-- Locks: none.
-- Rights: GRANT SELECT (due_at, message_id, destination_id, claim_token, held_at) ON readpast.delayed_message, SELECT ON readpast.destination
SELECT d.kind, d.name, y.destination_id,
       COUNT(CASE WHEN y.held_at IS NULL THEN 1 END)  AS delayed,
       COUNT(y.held_at)                               AS held,
       COUNT(CASE WHEN y.due_at < statement_timestamp() - INTERVAL '30' SECOND THEN 1 END)  AS overdue,
       MIN(CASE WHEN y.held_at IS NULL THEN y.due_at END)  AS next_due_at
FROM (SELECT destination_id, due_at, claim_token, held_at FROM readpast.delayed_message ORDER BY due_at, message_id LIMIT 10000) y
INNER JOIN readpast.destination d ON d.destination_id = y.destination_id
WHERE y.claim_token IS NULL
GROUP BY d.kind, d.name, y.destination_id
ORDER BY d.name
