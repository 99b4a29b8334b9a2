-- Claims the first of the messages with these keys that nobody holds; the caller sorts them.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :max,
--   :max_inline_body (larger bodies come as null)
-- Each row tells the id of the transaction as well, by which is found out later what became of it.
-- Index: primary key, one seek for each key; primary key of suspect_mark as claim.
-- Locks: FOR UPDATE on the rows returned until the transaction ends; rows held by others are stepped over.
SELECT claimed.*, CAST(pg_current_xact_id_if_assigned() AS text) AS transaction_id
FROM readpast.claim_by_key(CAST(:keys AS json), :max, :max_inline_body) AS claimed
