-- Claims the first messages of a queue that nobody holds, in the order of delivery.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null)
-- Each row tells the id of the transaction as well, by which is found out later what became of it.
-- Index: primary key, a range from the key to start behind; no sort. Primary key of suspect_mark, one seek at its end:
--   which of them may have been in delivery when a JVM died.
-- Locks: FOR UPDATE on the rows returned until the transaction ends; rows held by others are stepped over.
SELECT claimed.*, CAST(pg_current_xact_id_if_assigned() AS text) AS transaction_id
FROM readpast.claim(:destination_id, :after_priority, :after_id, :max, :max_inline_body) AS claimed
