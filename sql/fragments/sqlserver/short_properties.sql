-- Properties, or their length in their place where they are long.
, CASE WHEN DATALENGTH(m.properties) <= 16384 THEN m.properties ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties
