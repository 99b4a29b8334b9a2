-- One round trip: deletes claimed messages and commits. Where not exactly the expected number of rows was deleted it rolls back
-- and fails with 50001.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :expected (how
--   many keys)
-- Index: message_key, one seek for each key.
-- Locks: X on the deleted rows, which the claim holds already.
DELETE m
FROM OPENJSON(:keys) WITH (d int '$.d', p smallint '$.p', i bigint '$.i') AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i;
IF @@ROWCOUNT <> :expected
BEGIN
    ROLLBACK TRANSACTION;
    THROW 50001, N'Claimed messages are not there any more', 1;
END;
COMMIT TRANSACTION
