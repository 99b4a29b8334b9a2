-- Takes a link one batch further, if nobody else has, and returns whether it did. It waits for a transaction that is doing so.
-- Parameters: :batch_number, :batch_record, :link_name, :expected_number
-- Index: primary key of [readpast].bridge_link, one seek.
-- Locks: the row, until the end of the transaction.
UPDATE [readpast].bridge_link
SET batch_number = :batch_number, batch_record = :batch_record
WHERE link_name = :link_name AND batch_number = :expected_number;
SELECT @@ROWCOUNT AS changed
