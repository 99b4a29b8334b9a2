-- Removes a queue that has no messages and no history, and that no connected JVM has made a consumer for. Who still sends to it is refused once, and
-- makes it again.
-- Parameters: :queue
-- Index: destination_name, and one seek in each message table and the history; a scan of two small tables.
-- Locks: the row; S on a first message and row of the history, also under row versioning, so that who is just sending or acknowledging one is
-- waited for.
-- Rights: GRANT SELECT, DELETE ON [readpast].destination; GRANT SELECT ON [readpast].message; GRANT SELECT ON [readpast].delayed_message; GRANT SELECT ON [readpast].message_history; GRANT SELECT ON [readpast].consumed_destination; GRANT SELECT ON [readpast].presence
DELETE FROM [readpast].destination
WHERE destination_id = (
    SELECT q.destination_id
    FROM [readpast].destination AS q WITH (READCOMMITTEDLOCK, FORCESEEK (destination_name (kind)))
    WHERE q.kind = N'Q' AND q.name = :queue AND q.name_bytes = DATALENGTH(:queue))
  AND NOT EXISTS (
    SELECT 1 FROM [readpast].message AS m WITH (READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id)))
    WHERE m.destination_id = [readpast].destination.destination_id)
  AND NOT EXISTS (
    SELECT 1 FROM [readpast].delayed_message AS y WITH (READCOMMITTEDLOCK, FORCESEEK (delayed_message_destination (destination_id)))
    WHERE y.destination_id = [readpast].destination.destination_id)
  AND NOT EXISTS (
    SELECT 1 FROM [readpast].message_history AS h WITH (READCOMMITTEDLOCK, FORCESEEK (message_history_key (destination_id)))
    WHERE h.destination_id = [readpast].destination.destination_id)
  AND NOT EXISTS (
    SELECT 1 FROM [readpast].consumed_destination AS c
    INNER JOIN [readpast].presence AS p ON p.instance = c.instance
    WHERE c.destination_id = [readpast].destination.destination_id AND p.missing_since IS NULL);
SELECT @@ROWCOUNT AS done
