-- Says of a queue that leaves this database that nothing of it is left, if that is so: no message, be it delayed, held or in somebody's hands.
-- Parameters: :queue
-- Index: destination_name, and one seek in each message table.
-- Locks: the queue's row, for a moment; S on a first message, also under row versioning, so that who is just sending one is waited for.
-- Rights: GRANT UPDATE ON [readpast].destination (moved, moved_database); GRANT SELECT ON [readpast].message; GRANT SELECT ON [readpast].delayed_message
UPDATE [readpast].destination SET moved = N'gone'
WHERE destination_id = (
    SELECT q.destination_id
    FROM [readpast].destination AS q WITH (READCOMMITTEDLOCK, FORCESEEK (destination_name (kind)))
    WHERE q.kind = N'Q' AND q.name = :queue AND q.name_bytes = DATALENGTH(:queue))
  AND moved = N'away'
  AND NOT EXISTS (
    SELECT 1 FROM [readpast].message AS m WITH (READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id)))
    WHERE m.destination_id = [readpast].destination.destination_id)
  AND NOT EXISTS (
    SELECT 1 FROM [readpast].delayed_message AS y WITH (READCOMMITTEDLOCK, FORCESEEK (delayed_message_destination (destination_id)))
    WHERE y.destination_id = [readpast].destination.destination_id);
SELECT @@ROWCOUNT AS done
