-- When a message was completed and when the consumer got it. The clock is read once, so that the times are in order; enqueued_at may
-- have been rounded up.
GREATEST(enqueued_at, DATEADD('MILLISECOND', c.now_millis, /* include epoch */)),
    CASE WHEN CAST(:held_millis AS INT) IS NOT NULL
         THEN GREATEST(enqueued_at, DATEADD('MILLISECOND', c.now_millis - CAST(:held_millis AS INT), /* include epoch */)) END
