-- The rows of these keys that nobody holds, locked.
FROM OPENJSON(:keys) /* include key_columns */ AS k
INNER LOOP JOIN [readpast].message AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
