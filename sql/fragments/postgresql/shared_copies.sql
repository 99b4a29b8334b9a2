-- Copies of one message, whose body is that of share_body.
INSERT INTO readpast.message (
    destination_id /* include sent_columns */, body_id, expires_at)
SELECT
    w.id /* include sent_values */, b.body_id /* include expiry */
FROM shared b
CROSS JOIN unnest(CAST(:destination_ids AS int[])) AS w (id)
CROSS JOIN LATERAL (SELECT FROM readpast.destination s WHERE s.destination_id = w.id LIMIT 1) there
