-- Removes up to a thousand pairs of ids that are too old for a reply, and returns how many.
-- Parameters: :bridge (twice), :made_before
-- Index: bridge_pair_age, the first of one stretch of it; the primary key for each row.
-- Locks: X on the deleted rows; those that others hold are stepped over.
DECLARE @old TABLE (new_id nvarchar(255) COLLATE Latin1_General_100_BIN2  NOT NULL PRIMARY KEY);
INSERT INTO @old (new_id)
SELECT TOP (1000) new_id
FROM [readpast].bridge_pair WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (bridge_pair_age (bridge, made_at)))
WHERE bridge = :bridge AND made_at < :made_before
ORDER BY made_at;
DELETE p
FROM @old AS o
INNER LOOP JOIN [readpast].bridge_pair AS p WITH (READPAST, ROWLOCK) ON p.bridge = :bridge AND p.new_id = o.new_id;
SELECT @@ROWCOUNT AS changed
