-- One round trip: deletes claimed messages, commits, and claims the next messages, which begins the next transaction, since
-- autocommit is off. Where not exactly the expected number of rows was deleted it fails with 50001, and the caller rolls back.
-- Results: the number deleted; a row with 1, which says that the commit was carried out; then those of claim.
-- Entered: in a transaction, and left in the next one, which the claim begins: so the transaction count is the same, and SQL Server
--   does not report error 266.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :expected (how
--   many keys), and those of claim
-- Properties of more than 8192 characters come as their length.
-- Index: message_key, one seek for each key and two ranges; suspect_mark_key as claim.
-- Locks: as acknowledge and claim.
/* include acknowledge */;
/* include expected */;
COMMIT TRANSACTION;
SELECT 1 AS committed;
/* include claim */
