-- Lists the queues that keep a history. Subscriptions, which come and go, have none.
-- Parameters: none
-- Index: destination_history; readpast.destination by key.
-- Locks: none.
SELECT destination_id FROM readpast.destination WHERE history = 1 AND kind = 'Q'
