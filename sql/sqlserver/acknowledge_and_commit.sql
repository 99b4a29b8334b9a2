-- One round trip: deletes claimed messages and commits. Where not exactly the expected number of rows was deleted, or anything
-- fails, it rolls back; the first is error 50001.
-- Entered: in a transaction, as a batch of text with its parameters as literals. SQL Server reports error 266 behind a call with
--   parameters that ends with another transaction count than it began with, although it has committed; the inner call does not.
-- Parameters: :keys (a JSON array of arrays of three numbers: destination_id, priority_order, message_id), :expected (how many
--   keys)
-- Index: message_key, one seek for each key.
-- Locks: X on the deleted rows, which the claim holds already.
BEGIN TRY
    EXECUTE sp_executesql
        N'/* include acknowledge_as_text */',
        N'@keys nvarchar(max), @expected int',
        @keys = :keys, @expected = :expected;
    COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    /* include roll_back */
END CATCH
