-- What waits for its time, and what an administrator holds, among the first 10,000 to come due; held ones are due in the year 9999. overdue: due for more than 30
-- seconds and still there.
-- Parameters: none
-- Index: delayed_message_key, 10,000 rows.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].delayed_message (due_at, message_id, destination_id, claim_token, held_at); GRANT SELECT ON [readpast].destination
SELECT d.kind, d.name, y.destination_id,
       COUNT(CASE WHEN y.held_at IS NULL THEN 1 END)  AS delayed,
       COUNT(y.held_at)                               AS held,
       COUNT(CASE WHEN y.due_at < DATEADD(second, -30, SYSUTCDATETIME()) THEN 1 END)  AS overdue,
       MIN(CASE WHEN y.held_at IS NULL THEN y.due_at END)  AS next_due_at
FROM (SELECT TOP (10000) destination_id, due_at, claim_token, held_at FROM [readpast].delayed_message WITH (NOLOCK) ORDER BY due_at, message_id) AS y
INNER JOIN [readpast].destination AS d WITH (NOLOCK) ON d.destination_id = y.destination_id
WHERE y.claim_token IS NULL
GROUP BY d.kind, d.name, y.destination_id
ORDER BY d.name
OPTION (MAXDOP 1)
