-- One round trip: deletes claimed messages, tells whether a queue has a message that has not expired, claimed ones included, and
-- commits: a row if it has. Where not exactly the expected number of rows was deleted, or anything fails, it rolls back; the first
-- is error 50001.
-- Entered: in a transaction, as a batch of text with its parameters as literals. SQL Server reports error 266 behind a call with
--   parameters that ends with another transaction count than it began with, although it has committed; the inner call does not.
-- Parameters: :keys (a JSON array of arrays of three numbers: destination_id, priority_order, message_id), :expected (how many
--   keys), :destination_id (the queue)
-- Index: message_key, one seek for each key and one for the queue.
-- Locks: X on the deleted rows, which the claim holds already; S for a moment, rows that are being deleted are stepped over.
BEGIN TRY
    EXECUTE sp_executesql
        N'/* include acknowledge_as_text */
SELECT 1 AS found
WHERE EXISTS (
    SELECT 1
    FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id)))
    WHERE m.destination_id = @destination_id
      /* include unexpired */);',
        N'@keys nvarchar(max), @expected int, @destination_id int',
        @keys = :keys, @expected = :expected, @destination_id = :destination_id;
    COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    /* include roll_back */
END CATCH
