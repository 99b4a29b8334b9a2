-- Leases a claimed message: until the lease is over it stands among those that are not due, where nobody claims it. The delivery is
-- counted here, from 1 where nobody has counted to what is there (below 0, or at the end of int).
-- Parameters: :destination_id, :priority_order, :message_id, :claim_token (what the claim is known by), :lease_millis,
--   :worker (whose claim it is)
-- Index: primary key, one seek; appends to the key of readpast.delayed_message.
-- Locks: the row, which the claim holds already.
INSERT INTO readpast.delayed_message (
    due_at, message_id, destination_id, priority_order, claim_token, worker, claimed_at /* include moved_columns */,
    delivery_count)
SELECT
    DATEADD('MILLISECOND', readpast.clock_millis() + CAST(:lease_millis AS BIGINT), /* include epoch */), message_id, destination_id, priority_order,
    CAST(:claim_token AS UUID), CAST(:worker AS VARCHAR), /* include now */ /* include moved_columns */,
    CASE WHEN delivery_count BETWEEN 0 AND 2147483646 THEN delivery_count + 1 ELSE 1 END
FROM OLD TABLE (
    /* include acknowledge */)
