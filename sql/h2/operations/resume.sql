-- Ends a pause.
-- Parameters: :queue
-- Index: destination_name.
-- Locks: the queue's row, for a moment.
-- Rights: GRANT UPDATE ON readpast.destination
UPDATE readpast.destination SET paused = NULL, paused_at = NULL WHERE kind = 'Q' AND name = :queue
