-- Leases claimed messages: until the lease is over they stand among those that are not due, where nobody claims them. The delivery
-- is counted here. Returns how many there were.
-- Parameters: :keys (a JSON array of objects with d, p, i and t: destination_id, priority_order, message_id, and the token that the
--   claim is known by), :lease_millis, :worker (whose claim it is)
-- Index: primary key, one seek for each key; appends to the key of readpast.delayed_message.
-- Locks: the rows, which the claim holds already.
SELECT readpast.lease(CAST(:keys AS json), :lease_millis, :worker)
