-- When a message that is sent expires; null for never. In two steps, since SQL Server adds no more than an int.
,
    DATEADD(millisecond, CAST(:ttl_millis % 1000 AS int), DATEADD(second, CAST(:ttl_millis / 1000 AS int), SYSUTCDATETIME()))
