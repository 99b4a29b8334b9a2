-- When a message that is sent expires; null for never.
,
    statement_timestamp() + CAST(:ttl_millis AS bigint) * interval '1 millisecond'
