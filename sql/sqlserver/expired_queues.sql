-- Lists queues and subscriptions that have messages that have expired, with the name of the queue or topic, the pattern where it is one with
-- wildcards, and one name for all that are temporary.
-- Parameters: none
-- Index: message_expiry up to now; then [readpast].destination and [readpast].subscription by key, for these alone: a scan would wait for
--   whoever has created a queue and not committed it.
-- Locks: none kept; messages that others have written are stepped over, and names, which are never changed, are read without locks.
SELECT d.destination_id,
    CASE WHEN COALESCE(t.kind, d.kind) IN (N'TQ', N'TT') THEN N'temporary' ELSE COALESCE(s.pattern, t.name, d.name) END AS name
FROM (SELECT DISTINCT m.destination_id
      FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_expiry (expires_at)))
      WHERE m.expires_at <= CAST(SYSUTCDATETIME() AS datetime2(3)) AND m.expires_at IS NOT NULL) AS e
INNER LOOP JOIN [readpast].destination AS d WITH (NOLOCK, FORCESEEK) ON d.destination_id = e.destination_id
LEFT OUTER LOOP JOIN [readpast].subscription AS s WITH (FORCESEEK) ON s.destination_id = d.destination_id
LEFT OUTER LOOP JOIN [readpast].destination AS t WITH (NOLOCK, FORCESEEK) ON t.destination_id = s.topic_id
