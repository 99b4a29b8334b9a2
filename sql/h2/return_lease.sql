-- Puts a leased message back into its queue, with its delivery count as it was before the claim, and returns its key; no row where
-- the lease is over and the message is back already.
-- Parameters: :claim_token
-- Index: delayed_message_claim, one seek; appends to readpast.message.
-- Locks: the row, and the new one, which nobody sees before the transaction commits.
SELECT destination_id, priority_order, message_id FROM FINAL TABLE (
    INSERT INTO readpast.message (
    destination_id, priority_order, message_id /* include moved_columns */,
    delivery_count)
    SELECT
    destination_id, priority_order, message_id /* include moved_columns */,
    delivery_count - 1
    FROM OLD TABLE (
        DELETE FROM readpast.delayed_message WHERE claim_token = CAST(:claim_token AS UUID)))
