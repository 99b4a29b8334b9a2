-- One round trip: deletes claimed messages and commits. Where not exactly the expected number of rows was deleted the first
-- statement fails with RP001, and the COMMIT is not reached, since the server skips the rest of a pipeline after an error.
-- Parameters: :keys (an array of runs: destination_id, priority_order, the number of message_ids, and these in ascending order),
--   :expected (how many keys)
-- Index: primary key, one seek for each key.
-- Locks: the deleted rows, which the claim holds already.
SELECT readpast.acknowledge(CAST(:keys AS bigint[]), :expected);
COMMIT
