-- Reads a stretch of a queue for a claim by groups, claimed messages included: messages of no group, of groups that nobody has,
-- and of the consumer's own. Those of other consumers' groups are stepped over here, however many they are.
-- Parameters: :consumer, :correlation_id (null for any), and those of browse but for :max_inline_body
-- Index: primary key, a range from the key to start behind; no sort; primary key of message_group, one seek for each message.
-- Locks: none.
SELECT * FROM readpast.browse_groups(
    :destination_id, :consumer, :after_priority, :after_id, :max,
    :lowest_order, :highest_order, :earliest, :latest, :delivery_mode, :jms_message_id, :correlation_id, :jms_type)
