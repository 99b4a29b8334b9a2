-- Ends the leases of a JVM that is gone: its messages are back in their queues, their deliveries counted. Returns those queues.
-- See complete_leases for the order of the locks, and move_due for a message whose old key is locked: it stays leased until its lease
-- is over.
-- Parameters: :worker (the JVM's instance)
-- Index: delayed_message_claim, all of it: the leases that there are; delayed_message_key, two seeks for each of the JVM's.
-- Locks: U and then X on the moved rows, and X on the new ones; rows that a mover holds are stepped over.
SET XACT_ABORT OFF;  -- or the error that is caught below would have doomed the transaction; goes back at the end of the call
DECLARE @found TABLE (due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, claim_token uniqueidentifier NOT NULL);
INSERT INTO @found (due_at, message_id, claim_token)
SELECT due_at, message_id, claim_token
FROM [readpast].delayed_message WITH (READPAST, READCOMMITTEDLOCK, INDEX (delayed_message_claim))
WHERE claim_token IS NOT NULL AND worker = :worker;
DECLARE @held TABLE (
    n int NOT NULL IDENTITY(1, 1) PRIMARY KEY, due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, destination_id int NOT NULL);
INSERT INTO @held (due_at, message_id, destination_id)
SELECT m.due_at, m.message_id, m.destination_id
FROM @found AS f
INNER LOOP JOIN [readpast].delayed_message AS m
    WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
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
            deleted.destination_id, deleted.priority_order, deleted.message_id,
            deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type,
            deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration, deleted.jms_delivery_time, deleted.group_id,
            deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id,
            deleted.enqueued_at, deleted.expires_at, deleted.origin_id, deleted.delivery_count
        INTO [readpast].message (
            destination_id, priority_order, message_id,
            jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
            delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id,
            properties, body_kind, body_format, body_length, body, body_id,
            enqueued_at, expires_at, origin_id, delivery_count)
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
        IF @step = 1
        BEGIN
            DELETE FROM @held WHERE n = @from;
            SET @from = @from + 1;
        END;
        SET @step = 1;
        SET LOCK_TIMEOUT 10;
    END CATCH;
END;
SET LOCK_TIMEOUT -1;
SELECT DISTINCT destination_id FROM @held
