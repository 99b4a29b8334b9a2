-- Expired messages of a queue, locked; those that others hold are stepped over.
FROM readpast.message
    WHERE expires_at <= statement_timestamp() AND destination_id = :destination_id
    ORDER BY expires_at
    LIMIT :max
    FOR UPDATE SKIP LOCKED
