-- Tells the JVMs that listen which queues have got messages. Run on its own and not within a sender's transaction: a commit that
-- notifies takes a lock that all such commits of the database share (insert_message_and_ring is for a message that comes alone).
-- Parameters: :payload (who rings, a colon, and destination ids with commas between them)
-- Index: none.
-- Locks: none that lasts.
SELECT pg_notify('readpast', :payload)
