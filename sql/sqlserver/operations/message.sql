-- One message with its properties and the beginning of its body.
-- Parameters: :destination_id, :priority_order and :message_id, :most (characters of the properties, and bytes of the body)
-- Index: message_key and shared_body_key, one seek each.
-- Locks: S for a moment on the row; one that is being written or deleted is stepped over, also under row versioning. A large column that is
-- read without locks while its row goes is error 7105, of severity 22.
-- Rights: GRANT SELECT ON [readpast].message; GRANT SELECT ON [readpast].destination; GRANT SELECT ON [readpast].shared_body
SELECT m.priority_order, m.message_id, m.jms_message_id, m.jms_type, m.correlation_id, m.group_id, m.jms_timestamp,
       m.enqueued_at, m.expires_at, m.delivery_count, m.body_kind, m.body_length, o.name AS origin,
       CASE WHEN m.origin_id IS NULL THEN 0 ELSE 1 END AS is_dead, CASE WHEN m.expires_at <= SYSUTCDATETIME() THEN N'expired' ELSE N'waiting' END AS state,
       CAST(NULL AS datetime2(3)) AS due_at, CAST(NULL AS nvarchar(255)) AS worker, CAST(NULL AS datetime2(3)) AS held_at, CAST(NULL AS datetime2(3)) AS claimed_at,
       m.jms_destination, m.reply_to, m.delivery_mode, m.jms_expiration, m.jms_delivery_time,
       SUBSTRING(m.properties, 1, :most) AS properties, LEN(m.properties) AS properties_length, m.body_format,
       CASE WHEN m.body_id IS NULL THEN SUBSTRING(m.body, 1, :most)
            ELSE SUBSTRING(b.body, 1, :most) END AS body
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK)
LEFT JOIN [readpast].shared_body AS b WITH (READPAST, READCOMMITTEDLOCK) ON b.body_id = m.body_id
LEFT JOIN [readpast].destination AS o WITH (NOLOCK) ON o.destination_id = m.origin_id
WHERE m.destination_id = :destination_id AND m.priority_order = :priority_order AND m.message_id = :message_id
