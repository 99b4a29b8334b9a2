-- Puts leased messages back into their queues, with their delivery counts as they were before the claim, and returns their keys;
-- passes by those whose lease is over and which are back already. See complete_leases for the order of the locks, and move_due for a
-- message whose old key is locked: its lease ends now instead, and whoever moves what is due puts it back.
-- Parameters: :tokens (a JSON array), :delivered (1: the delivery of a message whose lease only ends counts; 0: it does not)
-- Index: delayed_message_claim, which has the key, and delayed_message_key, two seeks for each token; appends to
--   [readpast].message.
-- Locks: U and then X on the rows, and X on the new ones.
SET XACT_ABORT OFF;  -- or the error that is caught below would have doomed the transaction; goes back at the end of the call
/* include find_leases */;
DECLARE @held TABLE (
    n int NOT NULL IDENTITY(1, 1) PRIMARY KEY, due_at datetime2(3) NOT NULL, message_id bigint NOT NULL,
    destination_id int NOT NULL, priority_order smallint NOT NULL);
INSERT INTO @held (due_at, message_id, destination_id, priority_order)
SELECT m.due_at, m.message_id, m.destination_id, m.priority_order
FROM @found AS f
INNER LOOP JOIN [readpast].delayed_message AS m
    WITH (UPDLOCK, ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
    ON m.due_at = f.due_at AND m.message_id = f.message_id AND m.claim_token = f.claim_token;
DECLARE @last int = @@ROWCOUNT;
DECLARE @step int = @last;
DECLARE @from int = 1;
SET LOCK_TIMEOUT 500;
WHILE @from <= @last
BEGIN
    BEGIN TRY
        DELETE m
        OUTPUT
            deleted.destination_id, deleted.priority_order, deleted.message_id /* include deleted_moved_columns */, deleted.delivery_count - 1
        INTO [readpast].message (
            destination_id, priority_order, message_id /* include moved_columns */, delivery_count)
        FROM @held AS h
        INNER LOOP JOIN [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
            ON m.due_at = h.due_at AND m.message_id = h.message_id
        WHERE h.n >= @from AND h.n < @from + @step;
        SET @from = @from + @step;
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() <> 1222 OR XACT_STATE() = -1
        BEGIN
            SET LOCK_TIMEOUT -1;
            THROW;
        END;
        SET LOCK_TIMEOUT -1;
        IF @step = 1
        BEGIN
            UPDATE m
            SET due_at = SYSUTCDATETIME(),
                delivery_count = m.delivery_count - 1 + :delivered,
                claim_token = NULL,
                worker = NULL,
                claimed_at = NULL
            FROM @held AS h
            INNER LOOP JOIN [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
                ON m.due_at = h.due_at AND m.message_id = h.message_id
            WHERE h.n = @from;
            DELETE FROM @held WHERE n = @from;
            SET @from = @from + 1;
        END;
        SET @step = 1;
        SET LOCK_TIMEOUT 10;
    END CATCH;
END;
SET LOCK_TIMEOUT -1;
SELECT destination_id, priority_order, message_id FROM @held
