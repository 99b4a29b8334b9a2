-- Which sessions have which messages of a queue in their transaction, among its first 10,000.
-- Parameters: :destination_id
-- Index: the key of message, 10,000 rows.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.locked_message
SELECT message_id, session_id, CAST(holder AS varchar) AS holder, CAST(host AS varchar) AS host, process, CAST(login AS varchar) AS login, since
FROM readpast.locked_message
WHERE destination_id = :destination_id
