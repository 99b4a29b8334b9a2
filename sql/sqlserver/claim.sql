-- Claims the first messages of a queue that nobody holds, in the order of delivery. Two results, because SQL Server cannot
-- seek behind a key of two columns: what is left of one priority, and the priorities behind it.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null, and
--   properties of more than 8192 characters as their length)
-- Index: message_key, two ranges; no sort. suspect_mark_key, one seek for each row returned: which of them may have been in
--   delivery when a JVM died.
-- The rows are taken before they are compared with marks: a join above the locked rows reads ahead, and would lock more than it returns.
-- For the same reason one thread reads them (MAXDOP 1): several read ahead of TOP.
-- Statistics that the server makes of single columns by itself change none of the plan, whose index is given: it is kept (KEEPFIXED PLAN).
-- Locks: U on the rows returned until the transaction ends; rows locked by others are stepped over. ROWLOCK, and page locks
--   are off on the table, because READPAST steps over row locks only.
SELECT m.destination_id /* include claimed_columns */
FROM (
    SELECT TOP (:max) m.destination_id /* include stored_columns */
    FROM [readpast].message AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order)))
    WHERE m.destination_id = :destination_id
      AND m.priority_order = :after_priority AND m.message_id > :after_id
      /* include unexpired */
    ORDER BY m.destination_id, m.priority_order, m.message_id) AS m
ORDER BY m.destination_id, m.priority_order, m.message_id
OPTION (KEEPFIXED PLAN, MAXDOP 1);
SELECT m.destination_id /* include claimed_columns */
FROM (
    SELECT TOP (:max - @@ROWCOUNT) m.destination_id /* include stored_columns */
    FROM [readpast].message AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order)))
    WHERE m.destination_id = :destination_id
      AND m.priority_order > :after_priority
      /* include unexpired */
    ORDER BY m.destination_id, m.priority_order, m.message_id) AS m
ORDER BY m.destination_id, m.priority_order, m.message_id
OPTION (KEEPFIXED PLAN, MAXDOP 1)
