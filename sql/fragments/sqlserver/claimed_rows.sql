-- The rows of these keys, which a claim holds.
FROM OPENJSON(:keys) /* include key_columns */ AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
