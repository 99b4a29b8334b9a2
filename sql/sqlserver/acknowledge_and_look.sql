-- One round trip: deletes claimed messages, tells which of these queues have a message that has not expired, claimed ones
-- included, and commits. Where not exactly the expected number of rows was deleted it rolls back and fails with 50001.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :expected (how
--   many keys), :destination_ids (a JSON array of numbers)
-- Index: message_key, one seek for each key and each queue.
-- Locks: X on the deleted rows, which the claim holds already; S for a moment, rows that are being deleted are stepped over.
DELETE m
FROM OPENJSON(:keys) WITH (d int '$.d', p smallint '$.p', i bigint '$.i') AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i;
IF @@ROWCOUNT <> :expected
BEGIN
    ROLLBACK TRANSACTION;
    THROW 50001, N'Claimed messages are not there any more', 1;
END;
SELECT w.id
FROM OPENJSON(:destination_ids) WITH (id int '$') AS w
WHERE EXISTS (
    SELECT 1
    FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id)))
    WHERE m.destination_id = w.id
      AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME()));
COMMIT TRANSACTION
