-- Claims the first of the messages with these keys that nobody holds; the caller sorts them.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :max,
--   :max_inline_body (larger bodies come as null, and
--   properties of more than 8192 characters as their length)
-- The keys stand in a table whose key gives the order. Without ORDER BY a join may fetch several rows ahead and return whichever is read
-- first; and where OPENJSON itself is to be ordered, the plan may sort what was joined, and so lock what is beyond :max too.
-- The rows are taken before they are compared with marks, by one thread: see claim.
-- Index: message_key, one seek for each key until :max are claimed; no sort; suspect_mark_key as claim.
-- Locks: U on the rows returned until the transaction ends; rows locked by others are stepped over.
DECLARE @keys TABLE (d int NOT NULL, p smallint NOT NULL, i bigint NOT NULL, PRIMARY KEY (d, p, i));
INSERT INTO @keys (d, p, i)
SELECT d, p, i FROM OPENJSON(:keys) /* include key_columns */;
SELECT m.destination_id /* include claimed_columns */
FROM (
    SELECT TOP (:max) m.destination_id /* include stored_columns */
    FROM @keys AS k
    INNER LOOP JOIN [readpast].message AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
        ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
    WHERE (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME())
    ORDER BY k.d, k.p, k.i) AS m
OPTION (KEEPFIXED PLAN, MAXDOP 1)
