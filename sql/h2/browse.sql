-- Reads a stretch of a queue, claimed messages included; also the first step of a claim with a selector.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null; -1 for none;
--   properties of more than 8192 characters come as their length), and what a selector demands of header fields:
--   :lowest_order and :highest_order (of priority_order), :earliest and :latest (of jms_timestamp), :delivery_mode,
--   :jms_message_id, :jms_type (null for any)
-- Index: primary key, two ranges: the rest of one priority, and the priorities behind it (written as >=,
--   since H2 would read all rows of a priority that is only to be exceeded).
-- Locks: none.
SELECT * FROM (
    (SELECT m.destination_id /* include message_columns */ /* include short_body */
    FROM readpast.message m
    WHERE m.destination_id = :destination_id AND m.priority_order = :after_priority AND m.message_id > :after_id
      /* include header_conditions */
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max)
    UNION ALL
    (SELECT m.destination_id /* include message_columns */ /* include short_body */
    FROM readpast.message m
    WHERE m.destination_id = :destination_id AND m.priority_order >= :after_priority + 1
      /* include header_conditions */
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max))
ORDER BY destination_id, priority_order, message_id
LIMIT :max
