-- One round trip: deletes claimed messages and commits. Where not exactly the expected number of rows was deleted the first
-- statement fails with RP001, and the COMMIT is not reached, since the server skips the rest of a pipeline after an error.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :expected (how
--   many keys)
-- Index: primary key, one seek for each key.
-- Locks: the deleted rows, which the claim holds already.
SELECT readpast.acknowledge(CAST(:keys AS json), :expected);
COMMIT
