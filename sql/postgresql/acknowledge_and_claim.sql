-- One round trip: deletes claimed messages, commits, begins the next transaction and claims the next messages. Where not
-- exactly the expected number of rows was deleted the first statement fails with RP001, and the COMMIT is not reached, since
-- the server skips the rest of a pipeline after an error.
-- Parameters: :keys (an array of runs: destination_id, priority_order, the number of message_ids, and these in ascending order),
--   :expected (how many keys), and those of claim
-- Index: primary key, one seek for each key and a range from the key to start behind; primary key of suspect_mark as claim.
-- Locks: as acknowledge and claim.
/* include acknowledge_and_commit */;
BEGIN;
/* include claim */
