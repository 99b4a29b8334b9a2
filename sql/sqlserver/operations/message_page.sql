-- A page of a queue's messages behind a key, in the order of delivery, without bodies; of dead letters with properties, unless these are
-- long. What somebody has received and not acknowledged is among them.
-- Parameters: :destination_id, :after_priority and :after_id (-1 and 0 for the head), :most
-- Index: message_key, two ranges: the rest of one priority, and the priorities behind it.
-- Locks: S for a moment on each row; those that are being written or deleted are stepped over, also under row versioning. A large column that is
-- read without locks while its row goes is error 7105, of severity 22.
-- Rights: GRANT SELECT ON [readpast].message; GRANT SELECT ON [readpast].destination
SELECT m.priority_order, m.message_id, m.jms_message_id, m.jms_type, m.correlation_id, m.group_id, m.jms_timestamp,
       m.enqueued_at, m.expires_at, m.delivery_count, m.body_kind, m.body_length, o.name AS origin,
       CASE WHEN m.origin_id IS NULL THEN 0 ELSE 1 END AS is_dead, CASE WHEN m.expires_at <= SYSUTCDATETIME() THEN N'expired' ELSE N'waiting' END AS state,
       CAST(NULL AS datetime2(3)) AS due_at, CAST(NULL AS nvarchar(255)) AS worker, CAST(NULL AS datetime2(3)) AS held_at, CAST(NULL AS datetime2(3)) AS claimed_at,
       CASE WHEN m.origin_id IS NOT NULL AND LEN(m.properties) <= 8192 THEN m.properties END AS properties
FROM (
    SELECT TOP (:most) f.destination_id, f.priority_order, f.message_id, f.jms_message_id, f.jms_type, f.correlation_id, f.group_id, f.jms_timestamp, f.enqueued_at, f.expires_at, f.delivery_count, f.body_kind, f.body_length, f.origin_id, f.properties FROM (
        SELECT r.destination_id, r.priority_order, r.message_id, r.jms_message_id, r.jms_type, r.correlation_id, r.group_id, r.jms_timestamp, r.enqueued_at, r.expires_at, r.delivery_count, r.body_kind, r.body_length, r.origin_id, r.properties FROM (
          SELECT TOP (:most) m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_type, m.correlation_id, m.group_id, m.jms_timestamp, m.enqueued_at, m.expires_at, m.delivery_count, m.body_kind, m.body_length, m.origin_id, m.properties FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
          WHERE m.destination_id = :destination_id AND m.priority_order = :after_priority AND m.message_id > :after_id
          ORDER BY m.destination_id, m.priority_order, m.message_id) AS r
        UNION ALL
        SELECT l.destination_id, l.priority_order, l.message_id, l.jms_message_id, l.jms_type, l.correlation_id, l.group_id, l.jms_timestamp, l.enqueued_at, l.expires_at, l.delivery_count, l.body_kind, l.body_length, l.origin_id, l.properties FROM (
          SELECT TOP (:most) m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_type, m.correlation_id, m.group_id, m.jms_timestamp, m.enqueued_at, m.expires_at, m.delivery_count, m.body_kind, m.body_length, m.origin_id, m.properties FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
          WHERE m.destination_id = :destination_id AND m.priority_order > :after_priority
          ORDER BY m.destination_id, m.priority_order, m.message_id) AS l) AS f
    ORDER BY f.destination_id, f.priority_order, f.message_id) AS m
LEFT JOIN [readpast].destination AS o WITH (NOLOCK) ON o.destination_id = m.origin_id
ORDER BY m.priority_order, m.message_id
