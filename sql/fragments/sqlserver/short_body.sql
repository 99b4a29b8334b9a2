-- The body, unless it is long.
,
       CASE WHEN DATALENGTH(m.body) <= :max_inline_body THEN m.body END AS body
