-- Like browse, for a selector that can only match one correlation id.
-- Parameters: :correlation_id, and those of browse
-- Index: message_correlation; the messages of one correlation id are sorted.
-- Locks: none.
SELECT * FROM readpast.browse_correlated(
    :destination_id, :correlation_id, :after_priority, :after_id, :max, :max_inline_body,
    :lowest_order, :highest_order, :earliest, :latest, :delivery_mode, :jms_message_id, :jms_type)
