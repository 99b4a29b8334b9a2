-- Puts one message among those that are not due yet.
-- Parameters: those of insert_message, and :delay_millis (what is left of the delivery delay)
-- Index: appends to the key of readpast.delayed_message.
-- Locks: the new row.
INSERT INTO readpast.delayed_message (
    destination_id /* include sent_columns */, expires_at, due_at)
VALUES (
    :destination_id /* include sent_values */ /* include expiry */ /* include due */)
