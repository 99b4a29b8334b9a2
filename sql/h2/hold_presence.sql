-- Locks the row that shows that a JVM lives, for as long as the transaction is left open; no row if somebody holds it.
-- Parameters: :instance
-- Index: primary key of readpast.presence.
-- Locks: FOR UPDATE on the row, without waiting.
SELECT instance FROM readpast.presence WHERE instance = :instance FOR UPDATE SKIP LOCKED
