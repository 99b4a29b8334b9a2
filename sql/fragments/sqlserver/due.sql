-- When a delayed message is due. In two steps, since SQL Server adds no more than an int.
,
    DATEADD(millisecond, CAST(:delay_millis % 1000 AS int), DATEADD(second, CAST(:delay_millis / 1000 AS int), SYSUTCDATETIME()))
