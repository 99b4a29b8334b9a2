-- Puts a copy of messages into another queue, so many at the most. Conditions that are null do not count. In batches with a transaction each, unless the caller has one.
-- Parameters: see the procedure.
-- Index: see the procedure.
-- Locks: the rows, until the transaction ends; what others have locked is stepped over.
-- Rights: ALTER ROLE readpast_manage ADD MEMBER, or GRANT EXECUTE ON [readpast].copy
DECLARE @done int;
EXECUTE @done = [readpast].copy @queue = :queue, @target = :target, @jms_message_id = :jms_message_id, @correlation_id = :correlation_id, @type = :type,
    @property = :property, @property_value = :property_value, @sent_before = :sent_before, @sent_after = :sent_after,
    @minimum_deliveries = :minimum_deliveries, @origin = :origin, @state = :state, @most = :most,
    @keys = :keys, @claimed_user = :claimed_user;
SELECT @done AS done
