-- Puts one message into a queue, available at once.
-- Parameters: :destination_id, :priority_order, the headers, :properties (JSON or null), :body_kind, :body_format,
--   :body_length, :body (or null), :ttl_millis (what is left of the time to live, null for never)
-- Fails for want of a destination_id where the row of the destination, whose name ends :jms_destination, is gone or is another's now, and
--   where the queue was moved to another database.
-- Index: primary key of [readpast].destination, a seek; appends to all of [readpast].message.
-- Locks: the new row. None that lasts on the queue, not even in an application's transaction at REPEATABLE READ, so that a pause waits for no send.
INSERT INTO [readpast].new_message (
    destination_id /* include sent_columns */, expires_at)
VALUES (
    (SELECT d.destination_id FROM [readpast].destination AS d WITH (READCOMMITTED)
     WHERE d.destination_id = :destination_id AND d.kind IN (N'Q', N'TQ')
       AND d.name = SUBSTRING(:jms_destination, CHARINDEX(N'://', :jms_destination) + 3, 400)
       AND COALESCE(d.moved, N'here') = N'here') /* include sent_values */ /* include expiry */)
