-- Notes which id a message had before it crossed, and to whom its reply goes.
-- Parameters: :bridge, :new_id, :old_id, :correlation_id, :reply_to, :made_at
-- Index: primary key of readpast.bridge_pair, and its other indexes.
-- Locks: the new row.
INSERT INTO readpast.bridge_pair (bridge, new_id, old_id, correlation_id, reply_to, made_at)
VALUES (:bridge, :new_id, :old_id, :correlation_id, :reply_to, :made_at)
