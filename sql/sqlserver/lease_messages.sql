-- Leases claimed messages: until the lease is over they stand among those that are not due, where nobody claims them. The delivery
-- is counted here. Returns how many were moved, which the caller compares with the number of keys.
-- Parameters: :keys (a JSON array of objects with d, p, i and t: destination_id, priority_order, message_id, and the token that the
--   claim is known by), :lease_millis, :worker (whose claim it is)
-- Index: message_key, two seeks for each key; appends to the key of [readpast].delayed_message.
-- Locks: X on the rows, which the claim holds already.
INSERT INTO [readpast].delayed_message (
    due_at, message_id, destination_id, priority_order, claim_token, worker, claimed_at /* include moved_columns */,
    delivery_count)
SELECT
    DATEADD(millisecond, CAST(:lease_millis % 1000 AS int), DATEADD(second, CAST(:lease_millis / 1000 AS int), SYSUTCDATETIME())),
    m.message_id, m.destination_id, m.priority_order, k.t, :worker, SYSUTCDATETIME(),
    m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type, m.delivery_mode, m.jms_timestamp, m.jms_expiration,
    m.jms_delivery_time, m.group_id, m.properties, m.body_kind, m.body_format, m.body_length, m.body, m.body_id, m.enqueued_at, m.expires_at, m.origin_id,
    CASE WHEN m.delivery_count BETWEEN 0 AND 2147483646 THEN m.delivery_count + 1 ELSE 1 END
FROM OPENJSON(:keys) WITH (d int '$.d', p smallint '$.p', i bigint '$.i', t uniqueidentifier '$.t') AS k
INNER LOOP JOIN [readpast].message AS m
    WITH (UPDLOCK, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i;
/* include acknowledge */;
SELECT @@ROWCOUNT AS leased
