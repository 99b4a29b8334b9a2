-- Which sessions have messages of which queue in their transaction, among the first 10,000 of each queue.
-- Parameters: none
-- Index: the key of message, 10,000 rows for each queue.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.locked_message
SELECT kind, name, destination_id, session_id, CAST(holder AS varchar) AS holder, CAST(host AS varchar) AS host, process, CAST(login AS varchar) AS login,
       COUNT(*) AS messages, MIN(since) AS since
FROM readpast.locked_message
GROUP BY kind, name, destination_id, session_id, holder, host, process, login
ORDER BY MIN(since), name
