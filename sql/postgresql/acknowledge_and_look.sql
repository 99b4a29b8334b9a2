-- One round trip: deletes claimed messages, tells which of these queues have a message that has not expired, claimed ones
-- included, and commits. Where not exactly the expected number of rows was deleted the first statement fails with RP001, and the
-- COMMIT is not reached, since the server skips the rest of a pipeline after an error.
-- Parameters: :keys (an array of runs: destination_id, priority_order, the number of message_ids, and these in ascending order),
--   :expected (how many keys), :destination_ids (an array literal such as {1,2})
-- Index: primary key, one seek for each key and each queue.
-- Locks: the deleted rows, which the claim holds already.
SELECT readpast.acknowledge(CAST(:keys AS bigint[]), :expected);
SELECT id FROM readpast.available(CAST(:destination_ids AS int[])) AS id;
COMMIT
