-- The body, its own or the one that it shares, unless it is long. Where rows are versioned (READ_COMMITTED_SNAPSHOT), one that
-- was published while the statement ran may not come either, and is read by read_body then.
,
       CASE WHEN m.body_id IS NULL THEN CASE WHEN DATALENGTH(m.body) <= :max_inline_body THEN m.body END
            WHEN m.body_length <= :max_inline_body THEN (
                SELECT b.body FROM [readpast].shared_body AS b WITH (READCOMMITTED, FORCESEEK)
                WHERE b.body_id = m.body_id AND DATALENGTH(b.body) <= :max_inline_body) END AS body
