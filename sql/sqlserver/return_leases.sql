-- Puts leased messages back into their queues, with their delivery counts as they were before the claim, and returns their keys;
-- passes by those whose lease is over and which are back already. See complete_leases for the order of the locks.
-- Parameters: :tokens (a JSON array)
-- Index: delayed_message_claim, which has the key, and delayed_message_key, two seeks for each token; appends to
--   [readpast].message.
-- Locks: U and then X on the rows, and X on the new ones.
DECLARE @found TABLE (due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, claim_token uniqueidentifier NOT NULL);
INSERT INTO @found (due_at, message_id, claim_token)
SELECT m.due_at, m.message_id, m.claim_token
FROM OPENJSON(:tokens) WITH (t uniqueidentifier '$') AS k
INNER LOOP JOIN [readpast].delayed_message AS m ON m.claim_token = k.t AND m.claim_token IS NOT NULL;
DECLARE @held TABLE (
    due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, destination_id int NOT NULL, priority_order smallint NOT NULL);
INSERT INTO @held (due_at, message_id, destination_id, priority_order)
SELECT m.due_at, m.message_id, m.destination_id, m.priority_order
FROM @found AS f
INNER LOOP JOIN [readpast].delayed_message AS m
    WITH (UPDLOCK, ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
    ON m.due_at = f.due_at AND m.message_id = f.message_id AND m.claim_token = f.claim_token;
DELETE m
OUTPUT
    deleted.destination_id, deleted.priority_order, deleted.message_id,
    deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type, deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration,
    deleted.jms_delivery_time, deleted.group_id, deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id, deleted.enqueued_at, deleted.expires_at, deleted.origin_id,
    deleted.delivery_count - 1
INTO [readpast].message (
    destination_id, priority_order, message_id,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count)
FROM @held AS h
INNER LOOP JOIN [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
    ON m.due_at = h.due_at AND m.message_id = h.message_id;
SELECT destination_id, priority_order, message_id FROM @held
