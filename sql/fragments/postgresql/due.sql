-- When a delayed message is due.
,
    statement_timestamp() + CAST(:delay_millis AS bigint) * interval '1 millisecond'
