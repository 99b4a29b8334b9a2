-- Tells the JVMs that listen which queues have got messages. Run on its own, never within a sender's transaction: a commit
-- that notifies takes a lock that all such commits of the database share.
-- Parameters: :payload (who rings, a colon, and destination ids with commas between them)
-- Index: none.
-- Locks: none that lasts.
SELECT pg_notify('readpast', :payload)
