-- Version 6: what an administrator does to messages: move, copy, retry, expire, purge, hold, release, restored. sql/README.md has examples.
-- May be run again. Arguments that are wrong fail with invalid_parameter_value (22023), a queue that is
-- removed meanwhile with object_not_in_prerequisite_state (55000).
--
-- Each returns how many messages it did, and does those only that nobody holds at that moment: it waits for nobody and nobody
-- waits for it. They are functions and not procedures, because one that runs with the rights of its owner may not commit (CREATE
-- PROCEDURE, SECURITY DEFINER): a call is one transaction, the caller's. For many messages call again with most => 1000 until it
-- returns 0, and commit in between; expire with a state, since without one what has expired would be found again.
--
-- All but restored have the same conditions; null is any:
--   queue               the name of a queue or subscription, as queue_overview shows it
--   jms_message_id, correlation_id, type    the header, exactly
--   property, property_value    a property and its value as text, exactly; without a value, any
--   sent_before, sent_after     when it was sent, by the clock of its sender
--   minimum_deliveries  how often it has been delivered at least
--   origin              of dead letters: the name of the queue or subscription that they come from
--   state               waiting, expired, delayed, claimed (by a worker, for the length of a lease) or held; null for all but
--                       claimed and held
--   most                no more than so many, in the order of delivery
--   keys                messages that somebody has chosen one by one, as a JSON array of objects with p (priority_order), i (message_id),
--                       c (delivery_count), t (jms_timestamp, or without it: after a crash another message may have the message_id of one
--                       that was lost) and, of those in delayed_message, u (due_at). Those are done that are still as it says and
--                       meet state; the other conditions are null then
--   claimed_user        who it is for, as the caller says, for the table audit

-- What an administrator holds, and when it would have been due, null for at once.
CREATE OR REPLACE VIEW readpast.held_message AS
SELECT d.kind,
       d.name,
       m.destination_id,
       m.message_id,
       m.jms_message_id,
       m.held_at,
       m.held_due_at  AS due_at
FROM readpast.delayed_message m
JOIN readpast.destination d ON d.destination_id = m.destination_id
WHERE m.held_at IS NOT NULL;

-- Whether there is a property with this value as text, null for any. Not where PostgreSQL cannot hold a string of theirs: see with_notes.
CREATE OR REPLACE FUNCTION readpast.has_property(properties json, name text, value text)
RETURNS boolean
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
    RETURN properties->name IS NOT NULL AND (value IS NULL OR properties->>name = value);
EXCEPTION
    WHEN untranslatable_character OR invalid_text_representation THEN
        RETURN false;
END
$$;

-- Locks the messages of a destination that meet conditions, until the transaction ends, and returns their keys: due_at is null
-- for those of readpast.message. dead_letters: those only that can go back where they came from.
-- Index: primary key of readpast.message and delayed_message_destination, the stretch of one destination; with keys one seek for each.
-- Locks: the rows; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.lock_matching(
    queue text, jms_message_id text, correlation_id text, type text, property text, property_value text,
    sent_before timestamptz, sent_after timestamptz, minimum_deliveries int, origin text, state text, most int,
    keys json, dead_letters boolean)
RETURNS TABLE (due_at timestamptz, destination_id int, priority_order readpast.message_priority, message_id bigint)
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    q int;
    origins int[];
    before_millis bigint := floor(extract(epoch FROM sent_before) * 1000);
    after_millis bigint := floor(extract(epoch FROM sent_after) * 1000);
    found bigint;
BEGIN
    -- A queue before a temporary queue before a subscription of the same name.
    SELECT d.destination_id INTO q
    FROM readpast.destination d
    WHERE d.name = lock_matching.queue AND d.kind IN ('Q', 'TQ', 'S')
    ORDER BY CASE d.kind WHEN 'Q' THEN 1 WHEN 'TQ' THEN 2 ELSE 3 END
    LIMIT 1;
    IF q IS NULL THEN
        RAISE EXCEPTION 'There is no queue or subscription %', coalesce(quote_literal(lock_matching.queue), 'without a name')
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF lock_matching.state NOT IN ('waiting', 'expired', 'delayed', 'claimed', 'held') THEN
        RAISE EXCEPTION 'state is waiting, expired, delayed, claimed or held' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF lock_matching.most < 1 THEN
        RAISE EXCEPTION 'most is 1 or more, or null for all' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF lock_matching.property_value IS NOT NULL AND lock_matching.property IS NULL THEN
        RAISE EXCEPTION 'property_value needs a property' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF lock_matching.keys IS NOT NULL THEN
        IF num_nonnulls(lock_matching.jms_message_id, lock_matching.correlation_id, lock_matching.type, lock_matching.property,
                        lock_matching.sent_before, lock_matching.sent_after, lock_matching.minimum_deliveries,
                        lock_matching.origin) > 0 THEN
            RAISE EXCEPTION 'With keys there are no conditions but state' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        RETURN QUERY
        SELECT NULL::timestamptz, m.destination_id, m.priority_order, m.message_id
        FROM json_to_recordset(lock_matching.keys) AS k(p smallint, i bigint, c int, t bigint, u timestamptz)
        JOIN readpast.message m ON m.destination_id = q AND m.priority_order = k.p AND m.message_id = k.i
        WHERE k.u IS NULL
          AND m.delivery_count = k.c
          AND m.jms_timestamp = COALESCE(k.t, m.jms_timestamp)
          AND (lock_matching.state IS NULL
               OR (lock_matching.state = 'waiting' AND (m.expires_at IS NULL OR m.expires_at > clock_timestamp()))
               OR (lock_matching.state = 'expired' AND m.expires_at <= clock_timestamp()))
          AND (NOT dead_letters OR EXISTS (
              SELECT FROM readpast.destination o WHERE o.destination_id = m.origin_id AND COALESCE(o.moved, 'here') = 'here'))
        LIMIT lock_matching.most
        FOR UPDATE OF m SKIP LOCKED;
        GET DIAGNOSTICS found = ROW_COUNT;
        RETURN QUERY
        SELECT m.due_at, m.destination_id, m.priority_order, m.message_id
        FROM json_to_recordset(lock_matching.keys) AS k(p smallint, i bigint, c int, t bigint, u timestamptz)
        JOIN readpast.delayed_message m ON m.due_at = k.u AND m.message_id = k.i
        WHERE m.destination_id = q
          AND m.delivery_count = k.c
          AND m.jms_timestamp = COALESCE(k.t, m.jms_timestamp)
          AND CASE WHEN m.held_at IS NOT NULL THEN 'held' WHEN m.claim_token IS NOT NULL THEN 'claimed' ELSE 'delayed' END
              = coalesce(lock_matching.state, 'delayed')
          AND (NOT dead_letters OR EXISTS (
              SELECT FROM readpast.destination o WHERE o.destination_id = m.origin_id AND COALESCE(o.moved, 'here') = 'here'))
        LIMIT lock_matching.most - found
        FOR UPDATE OF m SKIP LOCKED;
        RETURN;
    END IF;
    IF lock_matching.origin IS NOT NULL THEN
        origins := ARRAY(SELECT d.destination_id FROM readpast.destination d
                         WHERE d.name = lock_matching.origin AND d.kind IN ('Q', 'TQ', 'S'));
    END IF;

    RETURN QUERY
    SELECT NULL::timestamptz, m.destination_id, m.priority_order, m.message_id
    FROM readpast.message m
    WHERE m.destination_id = q
      AND (lock_matching.state IS NULL
           OR (lock_matching.state = 'waiting' AND (m.expires_at IS NULL OR m.expires_at > clock_timestamp()))
           OR (lock_matching.state = 'expired' AND m.expires_at <= clock_timestamp()))
      AND (lock_matching.jms_message_id IS NULL OR m.jms_message_id = lock_matching.jms_message_id)
      AND (lock_matching.correlation_id IS NULL OR m.correlation_id = lock_matching.correlation_id)
      AND (lock_matching.type IS NULL OR m.jms_type = lock_matching.type)
      AND (lock_matching.property IS NULL OR readpast.has_property(m.properties, lock_matching.property, lock_matching.property_value))
      AND (before_millis IS NULL OR m.jms_timestamp < before_millis)
      AND (after_millis IS NULL OR m.jms_timestamp > after_millis)
      AND (lock_matching.minimum_deliveries IS NULL OR m.delivery_count >= lock_matching.minimum_deliveries)
      AND (origins IS NULL OR m.origin_id = ANY (origins))
      AND (NOT dead_letters OR EXISTS (
              SELECT FROM readpast.destination o WHERE o.destination_id = m.origin_id AND COALESCE(o.moved, 'here') = 'here'))
    ORDER BY m.destination_id, m.priority_order, m.message_id
    LIMIT lock_matching.most
    FOR UPDATE OF m SKIP LOCKED;
    GET DIAGNOSTICS found = ROW_COUNT;

    RETURN QUERY
    SELECT m.due_at, m.destination_id, m.priority_order, m.message_id
    FROM readpast.delayed_message m
    WHERE m.destination_id = q
      AND CASE WHEN m.held_at IS NOT NULL THEN 'held' WHEN m.claim_token IS NOT NULL THEN 'claimed' ELSE 'delayed' END
          = coalesce(lock_matching.state, 'delayed')
      AND (lock_matching.jms_message_id IS NULL OR m.jms_message_id = lock_matching.jms_message_id)
      AND (lock_matching.correlation_id IS NULL OR m.correlation_id = lock_matching.correlation_id)
      AND (lock_matching.type IS NULL OR m.jms_type = lock_matching.type)
      AND (lock_matching.property IS NULL OR readpast.has_property(m.properties, lock_matching.property, lock_matching.property_value))
      AND (before_millis IS NULL OR m.jms_timestamp < before_millis)
      AND (after_millis IS NULL OR m.jms_timestamp > after_millis)
      AND (lock_matching.minimum_deliveries IS NULL OR m.delivery_count >= lock_matching.minimum_deliveries)
      AND (origins IS NULL OR m.origin_id = ANY (origins))
      AND (NOT dead_letters OR EXISTS (
              SELECT FROM readpast.destination o WHERE o.destination_id = m.origin_id AND COALESCE(o.moved, 'here') = 'here'))
    ORDER BY m.destination_id, m.due_at, m.message_id
    LIMIT lock_matching.most - found
    FOR UPDATE OF m SKIP LOCKED;
END
$$;

-- The properties of a dead letter without those that say so; null where there are no others. As they are where PostgreSQL cannot hold a
-- string of theirs: see with_notes.
CREATE OR REPLACE FUNCTION readpast.without_dead_letter_notes(properties json)
RETURNS json
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
    RETURN (
        SELECT json_object_agg(o.key, o.value)
        FROM (SELECT p.key,
                     CASE WHEN p.key = '@types' AND json_typeof(p.value) = 'object'
                          THEN (SELECT json_object_agg(t.key, t.value)
                                FROM json_each(p.value) t WHERE t.key <> 'JMS_READPAST_DeadLetterTime')
                          ELSE p.value END AS value
              FROM json_each(properties) p
              WHERE p.key NOT IN (
                  'JMS_READPAST_OriginalDestination', 'JMS_READPAST_OriginalMessageID', 'JMS_READPAST_DeadLetterReason',
                  'JMS_READPAST_DeadLetterTime', 'JMS_READPAST_Deliveries')) o
        WHERE o.value IS NOT NULL);
EXCEPTION
    WHEN untranslatable_character OR invalid_text_representation THEN
        RETURN properties;
END
$$;

-- Which destination a dead letter says it was sent to. Null where it is none, but has only expired, and so may have this property from its
-- sender; where that is no destination; and where PostgreSQL cannot hold a string of its properties: see with_notes.
CREATE OR REPLACE FUNCTION readpast.noted_destination(properties json)
RETURNS text
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    noted text;
BEGIN
    noted := properties->>'JMS_READPAST_OriginalDestination';
    RETURN CASE WHEN properties->'JMS_READPAST_DeadLetterReason' IS NOT NULL
                     AND noted ~ '^(temp-)?(queue|topic)://.' AND length(noted) <= 450 THEN noted END;
EXCEPTION
    WHEN untranslatable_character OR invalid_text_representation THEN
        RETURN NULL;
END
$$;

-- Which destination a dead letter was sent to: what it says itself, or else where it comes from.
CREATE OR REPLACE FUNCTION readpast.original_destination(properties json, origin_id int)
RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT coalesce(
        readpast.noted_destination(properties),
        CASE d.kind WHEN 'Q' THEN 'queue://' || d.name WHEN 'TQ' THEN 'temp-queue://' || d.name
                    ELSE 'topic://' || coalesce(s.pattern, t.name) END)
    FROM readpast.destination d
    LEFT JOIN readpast.subscription s ON s.destination_id = d.destination_id
    LEFT JOIN readpast.destination t ON t.destination_id = s.topic_id
    WHERE d.destination_id = origin_id
$$;

-- Notes in readpast.audit what was done, if it was anything, and returns how many messages that was. For the functions below, with the
-- rights of whoever calls it.
-- Index: the end of the key of readpast.audit.
-- Locks: the new row.
CREATE OR REPLACE FUNCTION readpast.noted(action text, queue text, target text, messages bigint, claimed_user text)
RETURNS bigint
LANGUAGE plpgsql
AS $$
BEGIN
    IF messages > 0 THEN
        INSERT INTO readpast.audit (claimed_user, action, queue, target, messages)
        VALUES (left(noted.claimed_user, 128), noted.action, noted.queue, noted.target, noted.messages);
    END IF;
    RETURN messages;
END
$$;

-- Puts delayed messages with these keys, which the caller has changed, into their queues, where they are due: to their place by age.
-- Index: primary key of readpast.delayed_message, one seek for each; appends to readpast.message.
-- Locks: the rows, which the caller has locked.
CREATE OR REPLACE FUNCTION readpast.put_back(due timestamptz[], ids bigint[])
RETURNS void
LANGUAGE sql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
    WITH gone AS (
        DELETE FROM readpast.delayed_message m
        USING unnest(due, ids) AS d (due_at, message_id)
        WHERE m.due_at = d.due_at AND m.message_id = d.message_id AND d.due_at <= (SELECT clock_timestamp())
        RETURNING m.*)
    INSERT INTO readpast.message (
        destination_id, priority_order, message_id,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
        origin_id, delivery_count)
    SELECT
        destination_id, priority_order,
        CASE WHEN readpast.is_taken(destination_id, priority_order, message_id) THEN nextval('readpast.message_seq') ELSE message_id END,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
        origin_id, delivery_count
    FROM (SELECT * FROM gone ORDER BY due_at, message_id) AS in_order
$$;

-- Moves messages to another queue, where they count as new: available at once or when they are due, held where they were held,
-- delivery_count 0. They keep their message_id, and so their place by age; their expiry; and, where they are dead letters, what
-- lets them be sent back. target: a queue that exists.
-- Index: see lock_matching; one seek for each row.
-- Locks: the moved rows; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.move(
    queue text, target text, jms_message_id text DEFAULT NULL, correlation_id text DEFAULT NULL, type text DEFAULT NULL,
    property text DEFAULT NULL, property_value text DEFAULT NULL, sent_before timestamptz DEFAULT NULL,
    sent_after timestamptz DEFAULT NULL, minimum_deliveries int DEFAULT NULL, origin text DEFAULT NULL,
    state text DEFAULT NULL, most int DEFAULT NULL,
    keys json DEFAULT NULL, claimed_user text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    found_waiting bigint;
    found_delayed bigint;
    delayed_due timestamptz[];
    delayed_ids bigint[];
    target_id int := readpast.find_queue(target, false);
    moved_at timestamptz := clock_timestamp();
BEGIN
    IF target_id IS NULL THEN
        RAISE EXCEPTION 'There is no queue %; readpast.create_queue makes one', quote_literal(target)
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF move.queue = move.target THEN
        RAISE EXCEPTION 'The messages are in queue % already', quote_literal(target) USING ERRCODE = 'invalid_parameter_value';
    END IF;
    WITH found AS MATERIALIZED (
        SELECT * FROM readpast.lock_matching(
            queue, jms_message_id, correlation_id, type, property, property_value, sent_before, sent_after,
            minimum_deliveries, origin, state, most, keys, false)),
    waiting AS (
        UPDATE readpast.message m
        SET destination_id = target_id,
            jms_destination = 'queue://' || target,
            enqueued_at = moved_at,
            delivery_count = 0
        FROM found f
        WHERE m.destination_id = f.destination_id AND m.priority_order = f.priority_order AND m.message_id = f.message_id
          AND f.due_at IS NULL
        RETURNING 1),
    delayed AS (
        UPDATE readpast.delayed_message m
        SET destination_id = target_id,
            jms_destination = 'queue://' || target,
            enqueued_at = moved_at,
            delivery_count = 0,
            due_at = CASE WHEN m.claim_token IS NULL THEN m.due_at ELSE moved_at END,
            claim_token = NULL, worker = NULL, claimed_at = NULL
        FROM found f
        WHERE m.due_at = f.due_at AND m.message_id = f.message_id
        RETURNING m.due_at, m.message_id)
    SELECT (SELECT count(*) FROM waiting), count(*), array_agg(due_at), array_agg(message_id)
    INTO found_waiting, found_delayed, delayed_due, delayed_ids
    FROM delayed;
    -- Behind the statement, as in send.
    PERFORM readpast.check_not_moved(target_id);
    PERFORM readpast.put_back(delayed_due, delayed_ids);
    RETURN readpast.noted('move', move.queue, move.target, found_waiting + found_delayed, move.claimed_user);
END
$$;

-- Puts a copy of messages into another queue, which is a new message: with a JMSMessageID and a message_id of its own, available at once or
-- when the message is due, held where it is held, delivery_count 0. It has the expiry of the message, and of a dead letter what lets
-- it be sent back; a shared body stays shared. Called again it makes further copies. target: a queue that exists.
-- Index: see lock_matching; one seek for each row.
-- Locks: the rows, so that a shared body is not without a message before its copy is there, and the copies; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.copy(
    queue text, target text, jms_message_id text DEFAULT NULL, correlation_id text DEFAULT NULL, type text DEFAULT NULL,
    property text DEFAULT NULL, property_value text DEFAULT NULL, sent_before timestamptz DEFAULT NULL,
    sent_after timestamptz DEFAULT NULL, minimum_deliveries int DEFAULT NULL, origin text DEFAULT NULL,
    state text DEFAULT NULL, most int DEFAULT NULL,
    keys json DEFAULT NULL, claimed_user text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    found_waiting bigint;
    found_delayed bigint;
    delayed_due timestamptz[];
    delayed_ids bigint[];
    target_id int := readpast.find_queue(target, false);
    copied_at timestamptz := clock_timestamp();
BEGIN
    IF target_id IS NULL THEN
        RAISE EXCEPTION 'There is no queue %; readpast.create_queue makes one', quote_literal(target)
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF copy.queue = copy.target THEN
        RAISE EXCEPTION 'target is another queue than %', quote_literal(queue) USING ERRCODE = 'invalid_parameter_value';
    END IF;
    WITH found AS MATERIALIZED (
        SELECT * FROM readpast.lock_matching(
            queue, jms_message_id, correlation_id, type, property, property_value, sent_before, sent_after,
            minimum_deliveries, origin, state, most, keys, false)),
    waiting AS (
        INSERT INTO readpast.message (
            destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
            jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id,
            enqueued_at, expires_at, origin_id)
        SELECT
            target_id, m.priority_order, 'ID:' || gen_random_uuid(), 'queue://' || target, m.reply_to, m.correlation_id, m.jms_type,
            m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id, m.properties, m.body_kind, m.body_format,
            m.body_length, m.body, m.body_id, copied_at, m.expires_at, m.origin_id
        FROM found f
        JOIN readpast.message m
            ON m.destination_id = f.destination_id AND m.priority_order = f.priority_order AND m.message_id = f.message_id
        WHERE f.due_at IS NULL
        ORDER BY m.priority_order, m.message_id
        RETURNING 1),
    delayed AS (
        INSERT INTO readpast.delayed_message (
            due_at, held_at, held_due_at, destination_id, priority_order, jms_message_id, jms_destination,
            reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
            jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id,
            enqueued_at, expires_at, origin_id)
        SELECT
            CASE WHEN m.claim_token IS NULL THEN m.due_at ELSE copied_at END, m.held_at, m.held_due_at, target_id, m.priority_order,
            'ID:' || gen_random_uuid(), 'queue://' || target, m.reply_to, m.correlation_id, m.jms_type,
            m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id, m.properties, m.body_kind, m.body_format,
            m.body_length, m.body, m.body_id, copied_at, m.expires_at, m.origin_id
        FROM found f
        JOIN readpast.delayed_message m ON m.due_at = f.due_at AND m.message_id = f.message_id
        ORDER BY m.due_at, m.message_id
        RETURNING due_at, message_id)
    SELECT (SELECT count(*) FROM waiting), count(*), array_agg(due_at), array_agg(message_id)
    INTO found_waiting, found_delayed, delayed_due, delayed_ids
    FROM delayed;
    -- Behind the statement, as in send.
    PERFORM readpast.check_not_moved(target_id);
    PERFORM readpast.put_back(delayed_due, delayed_ids);
    RETURN readpast.noted('copy', copy.queue, copy.target, found_waiting + found_delayed, copy.claimed_user);
END
$$;

-- Sends dead letters back where they came from, as if they had never been delivered: delivery_count 0, without the properties
-- that say why they are dead letters; they do not expire. Those whose origin is gone or was moved to another database, and messages that are no dead letters,
-- stay.
-- Index: see lock_matching; one seek for each row.
-- Locks: the moved rows; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.retry(
    queue text, jms_message_id text DEFAULT NULL, correlation_id text DEFAULT NULL, type text DEFAULT NULL,
    property text DEFAULT NULL, property_value text DEFAULT NULL, sent_before timestamptz DEFAULT NULL,
    sent_after timestamptz DEFAULT NULL, minimum_deliveries int DEFAULT NULL, origin text DEFAULT NULL,
    state text DEFAULT NULL, most int DEFAULT NULL,
    keys json DEFAULT NULL, claimed_user text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    found_waiting bigint;
    found_delayed bigint;
    delayed_due timestamptz[];
    delayed_ids bigint[];
    retried_at timestamptz := clock_timestamp();
BEGIN
    WITH found AS MATERIALIZED (
        SELECT * FROM readpast.lock_matching(
            queue, jms_message_id, correlation_id, type, property, property_value, sent_before, sent_after,
            minimum_deliveries, origin, state, most, keys, true)),
    waiting AS (
        UPDATE readpast.message m
        SET destination_id = m.origin_id,
            jms_destination = readpast.original_destination(m.properties, m.origin_id),
            properties = readpast.without_dead_letter_notes(m.properties),
            origin_id = NULL,
            enqueued_at = retried_at,
            delivery_count = 0
        FROM found f
        WHERE m.destination_id = f.destination_id AND m.priority_order = f.priority_order AND m.message_id = f.message_id
          AND f.due_at IS NULL
        RETURNING 1),
    delayed AS (
        UPDATE readpast.delayed_message m
        SET destination_id = m.origin_id,
            jms_destination = readpast.original_destination(m.properties, m.origin_id),
            properties = readpast.without_dead_letter_notes(m.properties),
            origin_id = NULL,
            enqueued_at = retried_at,
            delivery_count = 0,
            due_at = CASE WHEN m.claim_token IS NULL THEN m.due_at ELSE retried_at END,
            claim_token = NULL, worker = NULL, claimed_at = NULL
        FROM found f
        WHERE m.due_at = f.due_at AND m.message_id = f.message_id
        RETURNING m.due_at, m.message_id)
    SELECT (SELECT count(*) FROM waiting), count(*), array_agg(due_at), array_agg(message_id)
    INTO found_waiting, found_delayed, delayed_due, delayed_ids
    FROM delayed;
    PERFORM readpast.put_back(delayed_due, delayed_ids);
    RETURN readpast.noted('retry', retry.queue, NULL, found_waiting + found_delayed, retry.claimed_user);
END
$$;

-- Lets messages expire now, also delayed ones: nobody receives them any more, and the next JMS client that looks for expired
-- messages (each does every five seconds) deletes them or moves them to the expiry destination that it is configured with. Where
-- no JMS client runs: purge with state => 'expired'.
-- Index: see lock_matching; one seek for each row.
-- Locks: the rows; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.expire(
    queue text, jms_message_id text DEFAULT NULL, correlation_id text DEFAULT NULL, type text DEFAULT NULL,
    property text DEFAULT NULL, property_value text DEFAULT NULL, sent_before timestamptz DEFAULT NULL,
    sent_after timestamptz DEFAULT NULL, minimum_deliveries int DEFAULT NULL, origin text DEFAULT NULL,
    state text DEFAULT NULL, most int DEFAULT NULL,
    keys json DEFAULT NULL, claimed_user text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    found_waiting bigint;
    found_delayed bigint;
    delayed_due timestamptz[];
    delayed_ids bigint[];
    expired_at timestamptz := clock_timestamp();
BEGIN
    IF expire.state = 'expired' THEN
        RAISE EXCEPTION 'state is waiting, delayed, claimed or held' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    WITH found AS MATERIALIZED (
        SELECT * FROM readpast.lock_matching(
            queue, jms_message_id, correlation_id, type, property, property_value, sent_before, sent_after,
            minimum_deliveries, origin, state, most, keys, false)),
    waiting AS (
        UPDATE readpast.message m
        SET expires_at = expired_at
        FROM found f
        WHERE m.destination_id = f.destination_id AND m.priority_order = f.priority_order AND m.message_id = f.message_id
          AND f.due_at IS NULL
        RETURNING 1),
    delayed AS (
        UPDATE readpast.delayed_message m
        SET expires_at = expired_at,
            due_at = expired_at,
            claim_token = NULL, worker = NULL, claimed_at = NULL,
            held_at = NULL, held_due_at = NULL
        FROM found f
        WHERE m.due_at = f.due_at AND m.message_id = f.message_id
        RETURNING m.due_at, m.message_id)
    SELECT (SELECT count(*) FROM waiting), count(*), array_agg(due_at), array_agg(message_id)
    INTO found_waiting, found_delayed, delayed_due, delayed_ids
    FROM delayed;
    PERFORM readpast.put_back(delayed_due, delayed_ids);
    RETURN readpast.noted('expire', expire.queue, NULL, found_waiting + found_delayed, expire.claimed_user);
END
$$;

-- Deletes messages for good; in the history of a queue that keeps one they are purged.
-- Index: see lock_matching; one seek for each row.
-- Locks: the deleted rows; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.purge(
    queue text, jms_message_id text DEFAULT NULL, correlation_id text DEFAULT NULL, type text DEFAULT NULL,
    property text DEFAULT NULL, property_value text DEFAULT NULL, sent_before timestamptz DEFAULT NULL,
    sent_after timestamptz DEFAULT NULL, minimum_deliveries int DEFAULT NULL, origin text DEFAULT NULL,
    state text DEFAULT NULL, most int DEFAULT NULL,
    keys json DEFAULT NULL, claimed_user text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    found_waiting bigint;
    found_delayed bigint;
BEGIN
    WITH found AS MATERIALIZED (
        SELECT * FROM readpast.lock_matching(
            queue, jms_message_id, correlation_id, type, property, property_value, sent_before, sent_after,
            minimum_deliveries, origin, state, most, keys, false)),
    waiting AS (
        DELETE FROM readpast.message m
        USING found f
        WHERE m.destination_id = f.destination_id AND m.priority_order = f.priority_order AND m.message_id = f.message_id
          AND f.due_at IS NULL
        RETURNING m.*),
    delayed AS (
        DELETE FROM readpast.delayed_message m
        USING found f
        WHERE m.due_at = f.due_at AND m.message_id = f.message_id
        RETURNING m.*),
    kept AS (
        INSERT INTO readpast.message_history (
            completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, consumer, outcome)
        SELECT
            clock_timestamp(), g.destination_id, g.message_id, g.priority_order, g.jms_message_id, g.correlation_id, g.jms_type, g.reply_to, g.group_id,
            g.properties, g.body_kind, g.body_format, g.body_length, g.body, g.delivery_count, g.enqueued_at,
            session_user, 'purged'
        FROM (
            SELECT
                destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
                properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at
            FROM waiting
            UNION ALL
            SELECT
                destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
                properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at
            FROM delayed) g
        JOIN readpast.destination d ON d.destination_id = g.destination_id
        WHERE d.history = 1)
    SELECT (SELECT count(*) FROM waiting), (SELECT count(*) FROM delayed) INTO found_waiting, found_delayed;
    RETURN readpast.noted('purge', purge.queue, NULL, found_waiting + found_delayed, purge.claimed_user);
END
$$;

-- Keeps messages away from every consumer until release: they wait among the delayed ones, due in the year 9999.
-- Index: see lock_matching; one seek for each row; appends to readpast.delayed_message.
-- Locks: the rows; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.hold(
    queue text, jms_message_id text DEFAULT NULL, correlation_id text DEFAULT NULL, type text DEFAULT NULL,
    property text DEFAULT NULL, property_value text DEFAULT NULL, sent_before timestamptz DEFAULT NULL,
    sent_after timestamptz DEFAULT NULL, minimum_deliveries int DEFAULT NULL, origin text DEFAULT NULL,
    state text DEFAULT NULL, most int DEFAULT NULL,
    keys json DEFAULT NULL, claimed_user text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    found_waiting bigint;
    found_delayed bigint;
    noted_at timestamptz := clock_timestamp();
BEGIN
    IF hold.state = 'held' THEN
        RAISE EXCEPTION 'state is waiting, expired, delayed or claimed' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    WITH found AS MATERIALIZED (
        SELECT * FROM readpast.lock_matching(
            queue, jms_message_id, correlation_id, type, property, property_value, sent_before, sent_after,
            minimum_deliveries, origin, state, most, keys, false)),
    gone AS (
        DELETE FROM readpast.message m
        USING found f
        WHERE m.destination_id = f.destination_id AND m.priority_order = f.priority_order AND m.message_id = f.message_id
          AND f.due_at IS NULL
        RETURNING m.*),
    waiting AS (
        INSERT INTO readpast.delayed_message (
            due_at, held_at, destination_id, priority_order,
            message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
            jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id,
            enqueued_at, expires_at, origin_id, delivery_count)
        SELECT
            '9999-12-31 00:00:00+00', noted_at, destination_id, priority_order,
            message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
            jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id,
            enqueued_at, expires_at, origin_id, delivery_count
        FROM gone
        RETURNING 1),
    delayed AS (
        UPDATE readpast.delayed_message m
        SET due_at = '9999-12-31 00:00:00+00',
            held_at = noted_at,
            held_due_at = CASE WHEN m.claim_token IS NULL THEN m.due_at END,
            claim_token = NULL, worker = NULL, claimed_at = NULL
        FROM found f
        WHERE m.due_at = f.due_at AND m.message_id = f.message_id
        RETURNING 1)
    SELECT (SELECT count(*) FROM waiting), (SELECT count(*) FROM delayed) INTO found_waiting, found_delayed;
    RETURN readpast.noted('hold', hold.queue, NULL, found_waiting + found_delayed, hold.claimed_user);
END
$$;

-- Gives held messages back: to their place in the queue, with their message_id and priority, or among the delayed ones where they
-- are not due.
-- Index: see lock_matching; one seek for each row; appends to readpast.message.
-- Locks: the rows; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.release(
    queue text, jms_message_id text DEFAULT NULL, correlation_id text DEFAULT NULL, type text DEFAULT NULL,
    property text DEFAULT NULL, property_value text DEFAULT NULL, sent_before timestamptz DEFAULT NULL,
    sent_after timestamptz DEFAULT NULL, minimum_deliveries int DEFAULT NULL, origin text DEFAULT NULL,
    most int DEFAULT NULL,
    keys json DEFAULT NULL, claimed_user text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    found_delayed bigint;
    delayed_due timestamptz[];
    delayed_ids bigint[];
    released_at timestamptz := clock_timestamp();
BEGIN
    WITH found AS MATERIALIZED (
        SELECT * FROM readpast.lock_matching(
            queue, jms_message_id, correlation_id, type, property, property_value, sent_before, sent_after,
            minimum_deliveries, origin, 'held', most, keys, false)),
    delayed AS (
        UPDATE readpast.delayed_message m
        SET due_at = coalesce(m.held_due_at, released_at),
            held_at = NULL, held_due_at = NULL
        FROM found f
        WHERE m.due_at = f.due_at AND m.message_id = f.message_id
        RETURNING m.due_at, m.message_id)
    SELECT count(*), array_agg(due_at), array_agg(message_id)
    INTO found_delayed, delayed_due, delayed_ids
    FROM delayed;
    PERFORM readpast.put_back(delayed_due, delayed_ids);
    RETURN readpast.noted('release', release.queue, NULL, found_delayed, release.claimed_user);
END
$$;

-- Says that this database is a copy of another moment: it was restored, is a copy, or took over without the last commits. Holds every
-- message that waits, is delayed or is claimed, of all queues and subscriptions, until release; and gives new destinations ids that
-- were never given out, so that what a JMS client remembers is never another queue: 10,000,000 above the last one, and further by the hundredths of
-- seconds, since after an earlier restore of the same backup ids were given out from there too. Called again it holds what has come
-- since, and takes no further ids within five minutes of one that has held something. Where there are none left it says so.
-- For the owner of the schema: it runs with the rights of its caller, and nobody else is given it.
-- Index: a scan of both message tables.
-- Locks: the rows, until the transaction ends; rows locked by others are stepped over, so that it is called again until it returns 0.
CREATE OR REPLACE FUNCTION readpast.restored(claimed_user text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    held_waiting bigint;
    held_delayed bigint;
    noted_at timestamptz := clock_timestamp();
    ids text := pg_get_serial_sequence('readpast.destination', 'destination_id');
    next_id bigint;
BEGIN
    IF NOT EXISTS (
        SELECT FROM readpast.audit
        WHERE action = 'restored' AND done_at BETWEEN noted_at - interval '5 minutes' AND noted_at) THEN
        -- Not pg_sequence_last_value, which is null where somebody has just set the sequence.
        EXECUTE format('SELECT last_value FROM %s', ids) INTO next_id;
        next_id := greatest(next_id, (SELECT max(destination_id) FROM readpast.destination)) + 10000000
            + floor(extract(epoch FROM noted_at) * 100)::bigint % 10000000;
        IF next_id < 2147000000 THEN
            PERFORM setval(ids, next_id);
        ELSE
            RAISE WARNING 'There are no further ids for destinations, and new ones may get those that JMS clients remember: stop all clients first';
        END IF;
    END IF;
    UPDATE readpast.delayed_message m
    SET due_at = '9999-12-31 00:00:00+00',
        held_at = noted_at,
        held_due_at = CASE WHEN m.claim_token IS NULL THEN m.due_at END,
        claim_token = NULL, worker = NULL, claimed_at = NULL
    FROM (SELECT due_at, message_id FROM readpast.delayed_message WHERE held_at IS NULL FOR UPDATE SKIP LOCKED) f
    WHERE m.due_at = f.due_at AND m.message_id = f.message_id;
    GET DIAGNOSTICS held_delayed = ROW_COUNT;
    WITH found AS MATERIALIZED (
        SELECT destination_id, priority_order, message_id FROM readpast.message FOR UPDATE SKIP LOCKED),
    gone AS (
        DELETE FROM readpast.message m
        USING found f
        WHERE m.destination_id = f.destination_id AND m.priority_order = f.priority_order AND m.message_id = f.message_id
        RETURNING m.*)
    INSERT INTO readpast.delayed_message (
        due_at, held_at, destination_id, priority_order,
        message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
        jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id,
        enqueued_at, expires_at, origin_id, delivery_count)
    SELECT
        '9999-12-31 00:00:00+00', noted_at, destination_id, priority_order,
        message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
        jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id,
        enqueued_at, expires_at, origin_id, delivery_count
    FROM gone;
    GET DIAGNOSTICS held_waiting = ROW_COUNT;
    RETURN readpast.noted('restored', NULL, NULL, held_waiting + held_delayed, restored.claimed_user);
END
$$;

REVOKE ALL ON FUNCTION
    readpast.restored(text),
    readpast.move(text, text, text, text, text, text, text, timestamptz, timestamptz, int, text, text, int, json, text),
    readpast.copy(text, text, text, text, text, text, text, timestamptz, timestamptz, int, text, text, int, json, text),
    readpast.retry(text, text, text, text, text, text, timestamptz, timestamptz, int, text, text, int, json, text),
    readpast.expire(text, text, text, text, text, text, timestamptz, timestamptz, int, text, text, int, json, text),
    readpast.purge(text, text, text, text, text, text, timestamptz, timestamptz, int, text, text, int, json, text),
    readpast.hold(text, text, text, text, text, text, timestamptz, timestamptz, int, text, text, int, json, text),
    readpast.release(text, text, text, text, text, text, timestamptz, timestamptz, int, text, int, json, text)
    FROM PUBLIC;

INSERT INTO readpast.schema_version (version, script) VALUES (6, '006-repair.sql') ON CONFLICT (version) DO NOTHING;
