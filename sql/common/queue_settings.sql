-- What administrators have set for queues: which keep a history, and which are paused. Subscriptions, which come and go, have neither.
-- Parameters: none
-- Index: destination_history, destination_paused; readpast.destination by key.
-- Locks: none.
SELECT destination_id, 1 AS history, '' AS paused FROM readpast.destination WHERE history = 1 AND kind = 'Q'
UNION ALL
SELECT destination_id, 0 AS history, paused FROM readpast.destination WHERE paused IS NOT NULL AND kind = 'Q'
