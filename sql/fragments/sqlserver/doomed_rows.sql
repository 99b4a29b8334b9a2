-- The rows of @doomed, see find_expired; those that others hold are stepped over.
FROM @doomed AS k
INNER LOOP JOIN [readpast].message AS m
    WITH (READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
WHERE m.expires_at <= @now
