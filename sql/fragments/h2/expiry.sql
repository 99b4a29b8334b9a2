-- When a message that is sent expires; null for never.
,
    DATEADD('MILLISECOND', readpast.clock_millis() + CAST(:ttl_millis AS BIGINT), /* include epoch */)
