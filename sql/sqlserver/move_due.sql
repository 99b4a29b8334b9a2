-- Puts delayed messages that have become due into their queues and returns those queues.
-- Parameters: :max
-- Where a message stood in its queue before, its old key may be locked still: a consumer that came too late for it with UPDLOCK has locked
-- the deleted row (its ghost), and holds that lock until its transaction ends. So nothing is waited for for long: after a lock time-out
-- (1222) the messages are moved one by one, and those that cannot be are left until the next time. The time-out goes back at the end
-- of the call; it is set back for servers that do not do that.
-- Index: delayed_message_key from its start, and one seek for each row; appends to [readpast].message.
-- Locks: U and then X on the moved rows, and X on the new ones; rows that another mover holds are stepped over.
SET XACT_ABORT OFF;  -- or the error that is caught below would have doomed the transaction; goes back at the end of the call
DECLARE @now datetime2(3) = SYSUTCDATETIME();
DECLARE @held TABLE (
    n int NOT NULL IDENTITY(1, 1) PRIMARY KEY, due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, destination_id int NOT NULL);
INSERT INTO @held (due_at, message_id, destination_id)
SELECT TOP (:max) due_at, message_id, destination_id
FROM [readpast].delayed_message WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (delayed_message_key (due_at)))
WHERE due_at <= @now
ORDER BY due_at, message_id;
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
