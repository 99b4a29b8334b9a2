-- Like browse, for a selector that can only match one correlation id.
-- Parameters: :destination_id, :correlation_id, :after_priority and :after_id (the key to start behind; -1 and 0 for the
--   head), :max, :max_inline_body (larger bodies come as null; -1 for none), and what a selector demands of header fields:
--   :lowest_order and :highest_order (of priority_order), :earliest and :latest (of jms_timestamp), :delivery_mode,
--   :jms_message_id, :jms_type (null for any)
-- Index: message_correlation; the messages of one correlation id are sorted.
-- Locks: none.
SELECT * FROM readpast.browse_correlated(
    :destination_id, :correlation_id, :after_priority, :after_id, :max, :max_inline_body,
    :lowest_order, :highest_order, :earliest, :latest, :delivery_mode, :jms_message_id, :jms_type)
