-- Notes the duplicate ids of messages that are being sent, and returns those that are new, or were due to be forgotten. The others
-- were noted before, and their messages are to be dropped.
-- Parameters: :ids (a JSON array of objects with d and i: destination_id, duplicate_id; sorted, so that two senders of the same
--   ids never wait for each other in a circle), :window_millis (how long they are remembered)
-- Index: duplicate_id_key, one seek for each.
-- Locks: U and then X on the rows that are renewed, X on those that are new, until the transaction ends. Waits for another sender
--   of the same id, to know whether that one commits. No range is locked, so that senders of different ids never wait for each
--   other: two senders of the same new id may then both find none, and the one whose insert comes second meets the key of the
--   first. It looks again.
SET XACT_ABORT OFF;  -- or the error that is caught below would have doomed the transaction; goes back at the end of the call
DECLARE @ids TABLE (
    destination_id  int           NOT NULL,
    duplicate_id    nvarchar(255) COLLATE Latin1_General_100_BIN2  NOT NULL,
    PRIMARY KEY (destination_id, duplicate_id));
DECLARE @noted TABLE (
    destination_id  int           NOT NULL,
    duplicate_id    nvarchar(255) COLLATE Latin1_General_100_BIN2  NOT NULL,
    renewed         int           NOT NULL);
DECLARE @window bigint = :window_millis;
DECLARE @forget_at datetime2(3) =
    DATEADD(millisecond, CAST(@window % 1000 AS int), DATEADD(second, CAST(@window / 1000 AS int), SYSUTCDATETIME()));
DECLARE @again int = 1;
INSERT INTO @ids (destination_id, duplicate_id)
SELECT d, i FROM OPENJSON(:ids) WITH (d int '$.d', i nvarchar(255) '$.i');
INSERT INTO @noted (destination_id, duplicate_id, renewed)
SELECT n.destination_id, n.duplicate_id, 1
FROM @ids AS n
INNER LOOP JOIN [readpast].duplicate_id AS d
        WITH (UPDLOCK, ROWLOCK, FORCESEEK (duplicate_id_key (destination_id, duplicate_id)))
    ON d.destination_id = n.destination_id AND d.duplicate_id = n.duplicate_id
WHERE d.forget_at <= SYSUTCDATETIME();
UPDATE d
SET forget_at = @forget_at
FROM @noted AS n
INNER LOOP JOIN [readpast].duplicate_id AS d WITH (ROWLOCK, FORCESEEK, INDEX (duplicate_id_key))
    ON d.destination_id = n.destination_id AND d.duplicate_id = n.duplicate_id;
WHILE @again = 1
BEGIN
    SET @again = 0;
    BEGIN TRY
        INSERT INTO [readpast].duplicate_id (destination_id, duplicate_id, forget_at)
        OUTPUT inserted.destination_id, inserted.duplicate_id, 0 INTO @noted (destination_id, duplicate_id, renewed)
        SELECT n.destination_id, n.duplicate_id, @forget_at
        FROM @ids AS n
        WHERE NOT EXISTS (
            SELECT 1
            FROM [readpast].duplicate_id AS d
                WITH (READCOMMITTEDLOCK, FORCESEEK (duplicate_id_key (destination_id, duplicate_id)))
            WHERE d.destination_id = n.destination_id AND d.duplicate_id = n.duplicate_id);
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() NOT IN (2601, 2627) OR XACT_STATE() = -1
            THROW;
        DELETE FROM @noted WHERE renewed = 0;
        SET @again = 1;
    END CATCH;
END;
SELECT destination_id, duplicate_id FROM @noted
