-- Ends the leases of a JVM that is gone, their deliveries counted: they are over now, and whoever moves what is due puts the messages
-- back.
-- Parameters: :worker (the JVM's instance)
-- Index: delayed_message_claim, all of it: the leases that there are.
-- Locks: the rows; rows that a mover holds are stepped over.
SELECT readpast.end_leases(:worker)
