-- Forgets removed destinations that no transaction can have in mind any more, and of which nothing is left: what somebody still holds,
-- by lock or by lease, may come back, and is then to be swept.
-- Parameters: :age_millis
-- Candidates are found without locks, which do not show what somebody is about to delete and may bring back. So each is looked at once
-- more, and one where a row is locked is given up until the next time (1222) and not waited for, as the lock may be held for long.
-- Index: a scan of a small table; message_key and delayed_message_destination, two seeks each for each row.
-- Locks: X on the deleted rows.
SET XACT_ABORT OFF;  -- or the error that is caught below would have doomed the transaction; goes back at the end of the call
DECLARE @old TABLE (destination_id int NOT NULL PRIMARY KEY);
DECLARE @destination_id int;
INSERT INTO @old (destination_id)
SELECT d.destination_id
FROM [readpast].dropped_destination AS d WITH (READPAST, READCOMMITTEDLOCK)
WHERE d.dropped_at < DATEADD(millisecond, -1 * CAST(:age_millis AS int), SYSUTCDATETIME())
  AND NOT EXISTS (
        SELECT 1
        FROM [readpast].message AS m WITH (NOLOCK, FORCESEEK (message_key (destination_id)))
        WHERE m.destination_id = d.destination_id)
  AND NOT EXISTS (
        SELECT 1
        FROM [readpast].delayed_message AS y WITH (NOLOCK, FORCESEEK (delayed_message_destination (destination_id)))
        WHERE y.destination_id = d.destination_id);
SET @destination_id = (SELECT MIN(destination_id) FROM @old);
WHILE @destination_id IS NOT NULL
BEGIN
    BEGIN TRY
        DELETE FROM [readpast].dropped_destination WITH (READPAST, ROWLOCK)
        WHERE destination_id = @destination_id
          AND NOT EXISTS (
                SELECT 1
                FROM [readpast].message AS m WITH (NOWAIT, ROWLOCK, FORCESEEK (message_key (destination_id)))
                WHERE m.destination_id = @destination_id)
          AND NOT EXISTS (
                SELECT 1
                FROM [readpast].delayed_message AS y
                    WITH (NOWAIT, ROWLOCK, FORCESEEK (delayed_message_destination (destination_id)))
                WHERE y.destination_id = @destination_id);
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() <> 1222 OR XACT_STATE() = -1
            THROW;
    END CATCH;
    SET @destination_id = (SELECT MIN(destination_id) FROM @old WHERE destination_id > @destination_id);
END
