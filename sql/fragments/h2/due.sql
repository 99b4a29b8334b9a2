-- When a delayed message is due.
,
    DATEADD('MILLISECOND', readpast.clock_millis() + CAST(:delay_millis AS BIGINT), /* include epoch */)
