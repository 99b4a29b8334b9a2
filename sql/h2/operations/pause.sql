-- Holds back what a queue has, or what is sent to it.
-- Parameters: :queue, :what (receive, send or both)
-- Index: destination_name.
-- Locks: the queue's row, for a moment.
-- Rights: GRANT UPDATE ON readpast.destination
UPDATE readpast.destination SET paused = :what, paused_at = CURRENT_TIMESTAMP WHERE kind = 'Q' AND name = :queue
