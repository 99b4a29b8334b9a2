-- Makes the row of a link that starts for the first time. Minus one: its token has not been made yet.
-- Parameters: :link_name
-- Index: primary key of readpast.bridge_link.
-- Locks: the new row; waits for another that adds the same, and then fails with a duplicate key.
INSERT INTO readpast.bridge_link (link_name, batch_number, batch_record)
VALUES (:link_name, -1, '')
