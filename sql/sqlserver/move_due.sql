-- Puts delayed messages that have become due into their queues and returns those queues.
-- Parameters: :max
-- Index: see the procedure.
-- Locks: U and then X on the moved rows, and X on the new ones; rows that another mover holds are stepped over.
EXECUTE [readpast].move_due @destination_id = NULL, @max = :max, @all = 1
