-- Notes the duplicate ids of messages that are being sent, and returns those that are new, or were due to be forgotten. The others
-- were noted before, and their messages are to be dropped.
-- Parameters: :ids (a JSON array of objects with d and i: destination_id, duplicate_id; sorted, so that two senders of the same
--   ids never wait for each other in a circle), :window_millis (how long they are remembered)
-- Index: primary key of readpast.duplicate_id, one seek for each.
-- Locks: the rows, in the order of the ids, until the transaction ends. Waits for another sender of the same id, to know whether
--   that one commits.
INSERT INTO readpast.duplicate_id AS d (destination_id, duplicate_id, forget_at)
SELECT n.d, n.i, statement_timestamp() + CAST(:window_millis AS bigint) * interval '1 millisecond'
FROM json_to_recordset(CAST(:ids AS json)) AS n (d int, i varchar)
ON CONFLICT (destination_id, duplicate_id) DO UPDATE SET forget_at = EXCLUDED.forget_at
WHERE d.forget_at <= statement_timestamp()
RETURNING destination_id, duplicate_id
