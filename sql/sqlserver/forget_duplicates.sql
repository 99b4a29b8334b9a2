-- Forgets duplicate ids that are due to be forgotten, and returns how many.
-- Parameters: :max
-- Found without a lock that stays and then locked by their keys, as by those who renew them: a lock on duplicate_id_forget alone would
-- wait for a sender that has renewed an id, and be in a deadlock with it.
-- Index: duplicate_id_forget from its start; duplicate_id_key, one seek for each row.
-- Locks: U and then X on the deleted rows; those that somebody is renewing are stepped over.
DECLARE @now datetime2(3) = SYSUTCDATETIME();
DECLARE @stale TABLE (
    destination_id  int           NOT NULL,
    duplicate_id    nvarchar(255) COLLATE Latin1_General_100_BIN2  NOT NULL,
    PRIMARY KEY (destination_id, duplicate_id));
INSERT INTO @stale (destination_id, duplicate_id)
SELECT TOP (:max) destination_id, duplicate_id
FROM [readpast].duplicate_id WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (duplicate_id_forget (forget_at)))
WHERE forget_at <= @now
ORDER BY forget_at;
DELETE d
FROM @stale AS s
INNER LOOP JOIN [readpast].duplicate_id AS d
    WITH (READPAST, ROWLOCK, FORCESEEK (duplicate_id_key (destination_id, duplicate_id)))
    ON d.destination_id = s.destination_id AND d.duplicate_id = s.duplicate_id
WHERE d.forget_at <= @now;
SELECT @@ROWCOUNT AS removed
