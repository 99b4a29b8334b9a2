-- Removes shared bodies that no message refers to, of those behind an id: looks at 20000 of them, until it has found so many, ten at the
-- most. Returns whether it has found them (more), and behind which id to go on (last), 0 where all have been looked at.
-- Parameters: :behind, :max
-- Nobody counts references. A body and its copies are committed together, and later a reference is moved, or copied by somebody who
-- has its row locked, so a body without one at some moment is without one for ever. Such a moment must be proved,
-- body by body, for candidates that were found without locks:
--   - The two tables are looked at one after the other, in an order that the optimizer chooses. Whichever comes first is locked
--     where the reference would stand (HOLDLOCK), so that none can be moved there before the second is looked at: when that one has
--     none either, there is none in both.
--   - What somebody is moving or acknowledging is locked by them, and may come back. It must not be stepped over, as READPAST
--     would, nor waited for, as a transaction of the application's may take long: NOWAIT gives the body up until the next time.
-- So nothing here ever waits while it holds a lock, and nobody can be in a deadlock with it.
-- They are ten, since who publishes a shared body waits for them: its reference comes to the end of the index, which all of them have locked.
-- For the same reason one that is given up is no reason to rest: all of them would be given up.
-- Index: shared_body_id from the id, without the bodies; shared_body_key, one seek for each that is deleted; message_body and delayed_message_body, one seek for each body.
-- Locks: S on the keys and gaps where references to the candidates would stand, X on the deleted rows, for as long as this takes.
SET XACT_ABORT OFF;  -- or the error that is caught below would have doomed the transaction; goes back at the end of the call
DECLARE @unused TABLE (body_id bigint NOT NULL PRIMARY KEY);
DECLARE @most int = CASE WHEN :max < 10 THEN :max ELSE 10 END;
DECLARE @more int = 0;
DECLARE @body_id bigint;
DECLARE @last bigint;
DECLARE @looked int;
INSERT INTO @unused (body_id)
SELECT TOP (@most) b.body_id
FROM (
    SELECT TOP (20000) s.body_id
    FROM [readpast].shared_body AS s WITH (READPAST, READCOMMITTEDLOCK, INDEX (shared_body_id))
    WHERE s.body_id > :behind
    ORDER BY s.body_id) AS b
WHERE NOT EXISTS (
        SELECT 1 FROM [readpast].message AS m WITH (NOLOCK) WHERE m.body_id = b.body_id AND m.body_id IS NOT NULL)
  AND NOT EXISTS (
        SELECT 1 FROM [readpast].delayed_message AS m WITH (NOLOCK) WHERE m.body_id = b.body_id AND m.body_id IS NOT NULL)
ORDER BY b.body_id;
IF (SELECT COUNT(*) FROM @unused) = @most
    SELECT @more = 1, @last = MAX(body_id) FROM @unused;
ELSE
BEGIN
    SELECT @last = MAX(b.body_id), @looked = COUNT(*)
    FROM (
        SELECT TOP (20000) s.body_id
        FROM [readpast].shared_body AS s WITH (READPAST, READCOMMITTEDLOCK, INDEX (shared_body_id))
        WHERE s.body_id > :behind
        ORDER BY s.body_id) AS b;
    IF @looked < 20000
        SET @last = 0;
END;
SET @body_id = (SELECT MIN(body_id) FROM @unused);
WHILE @body_id IS NOT NULL
BEGIN
    BEGIN TRY
        DELETE FROM [readpast].shared_body WITH (READPAST, ROWLOCK)
        WHERE body_id = @body_id
          AND NOT EXISTS (
                SELECT 1
                FROM [readpast].message AS m WITH (HOLDLOCK, NOWAIT, ROWLOCK, INDEX (message_body))
                WHERE m.body_id = @body_id AND m.body_id IS NOT NULL)
          AND NOT EXISTS (
                SELECT 1
                FROM [readpast].delayed_message AS m WITH (HOLDLOCK, NOWAIT, ROWLOCK, INDEX (delayed_message_body))
                WHERE m.body_id = @body_id AND m.body_id IS NOT NULL);
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() <> 1222 OR XACT_STATE() = -1
            THROW;
    END CATCH;
    SET @body_id = (SELECT MIN(body_id) FROM @unused WHERE body_id > @body_id);
END;
SELECT @more AS more, @last AS last
