-- Which of these queues have a message that has not expired; claimed ones are not told apart.
-- Parameters: :destination_ids (an array literal such as {1,2})
-- Index: primary key, one seek for each queue.
-- Locks: none.
SELECT w.id
FROM unnest(CAST(:destination_ids AS int[])) AS w (id)
CROSS JOIN LATERAL (
    SELECT 1
    FROM readpast.message m
    WHERE m.destination_id = w.id
      AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ORDER BY m.destination_id, m.priority_order, m.message_id
    LIMIT 1) AS first
