-- Ends the leases of a JVM that is gone: its messages are back in their queues, their deliveries counted. Returns those queues.
-- Parameters: :worker (the JVM's instance)
-- Index: delayed_message_claim, all of it: the leases that there are.
-- Locks: the moved rows; rows that a mover holds are stepped over.
SELECT DISTINCT queue FROM readpast.end_leases(:worker) AS queue
