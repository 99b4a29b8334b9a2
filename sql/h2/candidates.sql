-- Lists the first keys of a queue for a claim, claimed ones included. H2 skips locked rows only after it has applied LIMIT, so
-- a claim lists keys first and then locks each with claim_by_key.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max
-- Index: primary key, two ranges: the rest of one priority, and the priorities behind it (written as >=,
--   since H2 would read all rows of a priority that is only to be exceeded).
-- Locks: none.
SELECT * FROM (
    (SELECT destination_id, priority_order, message_id
    FROM readpast.message m
    WHERE m.destination_id = :destination_id AND m.priority_order = :after_priority AND m.message_id > :after_id
      /* include unexpired */
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max)
    UNION ALL
    (SELECT destination_id, priority_order, message_id
    FROM readpast.message m
    WHERE m.destination_id = :destination_id AND m.priority_order >= :after_priority + 1
      /* include unexpired */
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max))
ORDER BY destination_id, priority_order, message_id
LIMIT :max
