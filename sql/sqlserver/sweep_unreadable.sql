-- Removes what was noted of dead letters that are gone, or have been put back where they came from, and returns of how many. Where somebody
-- holds one of them, by a lock that may last, nothing is removed until the next time (1222): it may come back.
-- The notes are read as they are now. So the messages are read by locks as well: under READ_COMMITTED_SNAPSHOT they would be those of the statement's
-- start, and a note whose message became a dead letter since would be removed.
-- Parameters: none
-- Index: a scan of [readpast].unreadable_message, which is empty while all rows are messages; message_key and delayed_message_destination, one seek
--   each for each row.
-- Locks: the deleted rows; those that others hold are stepped over.
SET XACT_ABORT OFF;  -- or the error that is caught below would have doomed the transaction; goes back at the end of the call
DECLARE @removed int = 0;
BEGIN TRY
    DELETE FROM u
    FROM [readpast].unreadable_message AS u WITH (READPAST, ROWLOCK)
    WHERE NOT EXISTS (
        SELECT 1
        FROM [readpast].message AS m WITH (NOWAIT, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
        WHERE m.destination_id = u.destination_id AND m.priority_order = u.priority_order AND m.message_id = u.message_id)
      AND NOT EXISTS (
        SELECT 1
        FROM [readpast].delayed_message AS m WITH (NOWAIT, READCOMMITTEDLOCK, FORCESEEK (delayed_message_destination (destination_id)))
        WHERE m.destination_id = u.destination_id AND m.message_id = u.message_id);
    SET @removed = @@ROWCOUNT;
END TRY
BEGIN CATCH
    IF ERROR_NUMBER() <> 1222 OR XACT_STATE() = -1
        THROW;
END CATCH;
SELECT @removed AS removed
