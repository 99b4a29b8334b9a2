-- Claims the first of the messages with these keys that nobody holds, in the order of the keys.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :max,
--   :max_inline_body (larger bodies come as null, and
--   properties of more than 8192 characters as their length)
-- The keys stand in a table whose key gives the order. Without ORDER BY a join may fetch several rows ahead and return whichever is read
-- first; and where OPENJSON itself is to be ordered, the plan may sort what was joined, and so lock what is beyond :max too.
-- Index: message_key, one seek for each key until :max are claimed; no sort; suspect_mark_key as claim.
-- Locks: U on the rows returned until the transaction ends; rows locked by others are stepped over.
DECLARE @keys TABLE (d int NOT NULL, p smallint NOT NULL, i bigint NOT NULL, PRIMARY KEY (d, p, i));
INSERT INTO @keys (d, p, i)
SELECT d, p, i FROM OPENJSON(:keys) WITH (d int '$.d', p smallint '$.p', i bigint '$.i');
SELECT TOP (:max)
       m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN DATALENGTH(m.properties) <= 16384 THEN m.properties ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties,
       m.body_kind, m.body_format,
       m.body_length, m.delivery_count,
       CASE WHEN DATALENGTH(m.body) <= :max_inline_body THEN m.body END AS body,
       CASE WHEN EXISTS (
           SELECT 1 FROM [readpast].suspect_mark AS s WHERE s.destination_id = m.destination_id AND s.up_to >= m.message_id)
           THEN 1 ELSE 0 END AS suspect
FROM @keys AS k
INNER LOOP JOIN [readpast].message AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
WHERE (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME())
ORDER BY k.d, k.p, k.i
