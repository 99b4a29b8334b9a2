-- Expired messages of a queue, locked; those that others hold are stepped over. Why the comparison has two ends: expired_queues. The 0, which
-- the index has too, keeps PostgreSQL from reading the whole queue by the primary key.
FROM readpast.message
    WHERE expires_at > TIMESTAMP WITH TIME ZONE '0001-01-01 00:00:00+00' AND expires_at <= statement_timestamp()
      AND destination_id + 0 = :destination_id
    ORDER BY expires_at
    LIMIT :max
    FOR UPDATE SKIP LOCKED
