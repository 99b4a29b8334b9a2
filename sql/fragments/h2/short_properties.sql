-- Properties, or their length in their place where they are long.
, CASE WHEN CHAR_LENGTH(m.properties) <= 8192 THEN m.properties ELSE CAST(CHAR_LENGTH(m.properties) AS VARCHAR) END AS properties
