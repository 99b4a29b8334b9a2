-- Removes messages of a destination that is gone, and returns how many.
-- Parameters: :destination_id, :max
-- Index: message_key, a range, and one seek for each row.
-- Locks: U and then X on the deleted rows; those that somebody has claimed are stepped over, and go when they are acknowledged or swept.
DELETE m
FROM (SELECT TOP (:max) destination_id, priority_order, message_id
      FROM [readpast].message WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id)))
      WHERE destination_id = :destination_id
      ORDER BY destination_id, priority_order, message_id) AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id;
SELECT @@ROWCOUNT AS removed
