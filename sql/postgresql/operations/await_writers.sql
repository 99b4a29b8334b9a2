-- Waits for all who have written messages and not committed, whose messages nobody else sees, and lets nobody write any until the
-- transaction ends. Claims go on; sends and acknowledgements wait.
-- Parameters: none
-- Index: none.
-- Locks: both tables of messages, against changes and vacuum. The caller bounds the wait, during which those who come later wait too, and
-- tries again where a transaction that writes to the second table first makes a deadlock of it.
-- Rights: GRANT DELETE ON readpast.message, readpast.delayed_message
LOCK TABLE readpast.message, readpast.delayed_message IN SHARE MODE
