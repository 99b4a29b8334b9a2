-- Reads a stretch of a queue, claimed messages included; also the first step of a claim with a selector.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null; -1 for none), and what a selector demands of header fields:
--   :lowest_order and :highest_order (of priority_order), :earliest and :latest (of jms_timestamp), :delivery_mode,
--   :jms_message_id, :jms_type (null for any)
-- Index: primary key, a range from the key to start behind; no sort.
-- Locks: none.
SELECT * FROM readpast.browse(
    :destination_id, :after_priority, :after_id, :max, :max_inline_body,
    :lowest_order, :highest_order, :earliest, :latest, :delivery_mode, :jms_message_id, :jms_type)
