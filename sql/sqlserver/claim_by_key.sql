-- Claims all messages with these keys that nobody holds; the caller sorts them.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id),
--   :max_inline_body (larger bodies come as null, and
--   properties of more than 8192 characters as their length)
-- Index: message_key, one seek for each key; suspect_mark_key as claim.
-- Locks: U on the rows returned until the transaction ends; rows locked by others are stepped over.
SELECT m.destination_id /* include claimed_columns */
/* include free_rows */
WHERE (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME())
OPTION (KEEPFIXED PLAN)
