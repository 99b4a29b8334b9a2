-- Removes a row of the history that stale_history has listed.
-- Parameters: :row
-- Index: the row's number, one seek.
-- Locks: the row, which nobody else has a use for.
DELETE FROM readpast.message_history WHERE _ROWID_ = :row
