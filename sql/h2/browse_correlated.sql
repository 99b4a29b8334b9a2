-- Like browse, for a selector that can only match one correlation id.
-- Parameters: :correlation_id, and those of browse
-- Index: message_correlation, two ranges: the rest of one priority, and the priorities behind it (written as >=,
--   since H2 would read all rows of a priority that is only to be exceeded).
-- Locks: none.
SELECT * FROM (
    (SELECT m.destination_id /* include message_columns */ /* include short_body */
    FROM readpast.message m
    WHERE m.destination_id = :destination_id AND m.correlation_id = :correlation_id AND m.priority_order = :after_priority AND m.message_id > :after_id
      /* include header_conditions */
    ORDER BY destination_id, correlation_id, priority_order, message_id
    LIMIT :max)
    UNION ALL
    (SELECT m.destination_id /* include message_columns */ /* include short_body */
    FROM readpast.message m
    WHERE m.destination_id = :destination_id AND m.correlation_id = :correlation_id AND m.priority_order >= :after_priority + 1
      /* include header_conditions */
    ORDER BY destination_id, correlation_id, priority_order, message_id
    LIMIT :max))
ORDER BY destination_id, priority_order, message_id
LIMIT :max
