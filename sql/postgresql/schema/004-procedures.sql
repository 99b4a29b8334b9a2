-- Version 4: the queue for programs in SQL, over the tables that the JMS side uses. sql/README.md has examples.
-- May be run again. Arguments that are wrong fail with invalid_parameter_value (22023), sends to a queue that is paused, was moved
-- to another database or is just removed with object_not_in_prerequisite_state (55000).
--
-- What callers may use runs with the rights of its owner: the caller needs the right to execute it, which nobody has
-- unless it is granted, and none on the tables.

-- The id of a queue, null where there is none and none is to be created. Waits for another that is creating the same.
CREATE OR REPLACE FUNCTION readpast.find_queue(queue text, create_it boolean)
RETURNS int
LANGUAGE plpgsql
AS $$
DECLARE
    id int;
BEGIN
    IF queue IS NULL OR length(queue) NOT BETWEEN 1 AND 400 THEN
        RAISE EXCEPTION 'The name of a queue has 1 to 400 characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT d.destination_id INTO id FROM readpast.destination d WHERE d.kind = 'Q' AND d.name = queue;
    IF id IS NULL AND create_it THEN
        IF queue ~ '^(temp-)?(queue|topic)://' THEN
            RAISE EXCEPTION 'The name of a queue does not begin with queue://, topic://, temp-queue:// or temp-topic://; send alone takes queue:// and temp-queue://'
                USING ERRCODE = 'invalid_parameter_value';
        END IF;
        INSERT INTO readpast.destination (kind, name) VALUES ('Q', queue) ON CONFLICT (kind, name) DO NOTHING;
        SELECT d.destination_id INTO id FROM readpast.destination d WHERE d.kind = 'Q' AND d.name = queue;
    END IF;
    RETURN id;
END
$$;

-- Refuses what would put a message into a queue that was moved to another database, or removed meanwhile.
CREATE OR REPLACE FUNCTION readpast.check_not_moved(queue int)
RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    place text;
    queue_name text;
    stage text;
BEGIN
    SELECT d.moved_database, d.name, d.moved INTO place, queue_name, stage
    FROM readpast.destination d WHERE d.destination_id = queue;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The queue was removed meanwhile: call again' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF stage IN ('away', 'gone') THEN
        RAISE EXCEPTION 'The queue % was moved to database %: send to it there', queue_name, quote_literal(place)
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END
$$;

-- After how many attempts a message of a queue is a dead letter: its maximum_attempts, 10 without one. Without limit (null) where
-- that is 0, and where dead letters would go to the very queue that they are in.
CREATE OR REPLACE FUNCTION readpast.attempt_limit(queue int)
RETURNS int
LANGUAGE sql STABLE
AS $$
    SELECT CASE WHEN coalesce(dead_letter_queue, 'DLQ') <> name THEN nullif(coalesce(maximum_attempts, 10), 0) END
    FROM readpast.destination
    WHERE destination_id = queue
$$;

-- Creates a queue, unless there is one of this name, and says what becomes of messages whose attempts in readpast.claim are
-- used up. maximum_attempts: 0 for no limit. What is null stays as it is, of a new queue 10 and DLQ; what is changed is in the table audit.
-- send creates a missing queue as well, but holds others that do the same until its transaction ends.
CREATE OR REPLACE FUNCTION readpast.create_queue(
    queue text, maximum_attempts int DEFAULT NULL, dead_letter_queue text DEFAULT NULL, claimed_user text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    id int;
    limits text;
BEGIN
    IF create_queue.maximum_attempts < 0 THEN
        RAISE EXCEPTION 'maximum_attempts is 0, for no limit, or more' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    id := readpast.find_queue(queue, true);
    IF create_queue.dead_letter_queue IS NOT NULL THEN
        PERFORM readpast.find_queue(create_queue.dead_letter_queue, true);
    END IF;
    UPDATE readpast.destination d
    SET maximum_attempts = coalesce(create_queue.maximum_attempts, d.maximum_attempts),
        dead_letter_queue = coalesce(create_queue.dead_letter_queue, d.dead_letter_queue)
    WHERE d.destination_id = id
      AND (coalesce(d.maximum_attempts, -1) <> create_queue.maximum_attempts
        OR coalesce(d.dead_letter_queue, '') <> create_queue.dead_letter_queue)
    RETURNING format('%s attempts, then %s', coalesce(d.maximum_attempts, 10), coalesce(d.dead_letter_queue, 'DLQ')) INTO limits;
    IF FOUND THEN
        INSERT INTO readpast.audit (claimed_user, action, queue, target, messages)
        VALUES (left(create_queue.claimed_user, 128), 'create', create_queue.queue, left(limits, 400), 0);
    END IF;
END
$$;

-- Holds back what a queue has, or what is sent to it, until readpast.resume. The functions keep to it at once: receive_batch and claim find
-- nothing, send is refused. JMS clients learn of it within some seconds, and say so in readpast.presence.paused_queues. What has been
-- claimed before is finished. Expiry, delays, dead letters and what an administrator does go on.
-- what: receive, send or both. claimed_user: who it is for, as the caller says, for the table audit.
-- Index: destination_name; the end of the key of readpast.audit.
-- Locks: the queue's row, until the transaction ends.
CREATE OR REPLACE FUNCTION readpast.pause(queue text, what text DEFAULT 'receive', claimed_user text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    id int := readpast.find_queue(queue, false);
BEGIN
    IF what IS NULL OR what NOT IN ('receive', 'send', 'both') THEN
        RAISE EXCEPTION 'what is receive, send or both' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF id IS NULL THEN
        RAISE EXCEPTION 'There is no queue %', queue USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE readpast.destination d SET paused = what, paused_at = clock_timestamp() WHERE d.destination_id = id;
    INSERT INTO readpast.audit (claimed_user, action, queue, target, messages)
    VALUES (left(pause.claimed_user, 128), 'pause', pause.queue, what, 0);
END
$$;

-- Ends a pause. JMS clients go on within some seconds.
-- Index and locks: see pause.
CREATE OR REPLACE FUNCTION readpast.resume(queue text, claimed_user text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    id int := readpast.find_queue(queue, false);
BEGIN
    IF id IS NULL THEN
        RAISE EXCEPTION 'There is no queue %', queue USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE readpast.destination d SET paused = NULL, paused_at = NULL WHERE d.destination_id = id AND d.paused IS NOT NULL;
    IF FOUND THEN
        INSERT INTO readpast.audit (claimed_user, action, queue, messages)
        VALUES (left(resume.claimed_user, 128), 'resume', resume.queue, 0);
    END IF;
END
$$;

-- Says that a queue leaves this database for another one, or comes to it from there; called again it does nothing. It is a step of
-- readpast move-queue, which says in both databases what has to be said, in its order.
-- moved: away, here; null for neither. database: what routes call the other one; null for none.
-- Index and locks: see pause.
CREATE OR REPLACE FUNCTION readpast.mark_moved(
    queue text, moved text DEFAULT NULL, database text DEFAULT NULL, claimed_user text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    id int := readpast.find_queue(queue, false);
BEGIN
    IF moved NOT IN ('away', 'here') THEN
        RAISE EXCEPTION 'moved is away, here or null' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF id IS NULL THEN
        RAISE EXCEPTION 'There is no queue %', queue USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE readpast.destination d
    SET moved = mark_moved.moved, moved_database = mark_moved.database
    WHERE d.destination_id = id
      AND (d.moved IS DISTINCT FROM mark_moved.moved OR d.moved_database IS DISTINCT FROM mark_moved.database);
    IF FOUND THEN
        INSERT INTO readpast.audit (claimed_user, action, queue, target, messages)
        VALUES (left(mark_moved.claimed_user, 128), 'move-queue', mark_moved.queue,
                CASE mark_moved.moved WHEN 'away' THEN 'to ' || database WHEN 'here' THEN 'from ' || database END, 0);
    END IF;
END
$$;

-- Puts a message into a queue, within the caller's transaction, and returns its JMSMessageID.
-- queue: its name, or a reply_to: queue://name, temp-queue://name.
-- body: a TextMessage for JMS; without any body one without text. binary_body, in its place: a BytesMessage.
-- properties: a JSON object, such as {"customer":"Ada","count":3}, with up to 100 objects and arrays within each other. priority: 0 to 9, 9 is delivered first.
-- delay_millis: from now until it may be received. time_to_live_millis: from now until it expires, 0 for never.
-- reply_to: the name of a queue, or queue://name, topic://name.
-- Locks: the new row; see find_queue for a queue that is missing.
CREATE OR REPLACE FUNCTION readpast.send(
    queue text, body text DEFAULT NULL, properties json DEFAULT NULL, priority int DEFAULT 4, delay_millis bigint DEFAULT 0,
    time_to_live_millis bigint DEFAULT 0, correlation_id text DEFAULT NULL, type text DEFAULT NULL, reply_to text DEFAULT NULL,
    binary_body bytea DEFAULT NULL)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    id int;
    destination text;
    jms_id text := 'ID:' || gen_random_uuid();
    sent timestamptz := clock_timestamp();
    millis bigint := floor(extract(epoch FROM sent) * 1000);
    expires timestamptz;
    bytes bytea := coalesce(convert_to(body, 'UTF8'), binary_body);
    format smallint := CASE WHEN body IS NOT NULL THEN 2 WHEN binary_body IS NOT NULL THEN 1 ELSE 0 END;
    brackets text;
BEGIN
    IF body IS NOT NULL AND binary_body IS NOT NULL THEN
        RAISE EXCEPTION 'A message has either body or binary_body' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF json_typeof(properties) <> 'object' THEN
        RAISE EXCEPTION 'properties is a JSON object, such as {"customer":"Ada","count":3}'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF EXISTS (SELECT FROM json_object_keys(properties) k
               WHERE k IN ('JMSMessageID', 'JMSReplyTo', 'JMSCorrelationID', 'JMSType', 'JMSGroupID')) THEN
        RAISE EXCEPTION 'JMSMessageID, JMSReplyTo, JMSCorrelationID, JMSType and JMSGroupID are no names for properties'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- What JMS reads has as many levels. Without its strings JSON is brackets; each turn takes the innermost ones away.
    brackets := regexp_replace(
        regexp_replace(properties::text, '"(?:\\.|[^"\\])*"', '', 'g'), '[^][{}]', '', 'g');
    FOR turn IN 1 .. 100 LOOP
        EXIT WHEN brackets = '';
        brackets := regexp_replace(brackets, '\[\]|\{\}', '', 'g');
    END LOOP;
    IF brackets <> '' THEN
        RAISE EXCEPTION 'properties has more than 100 objects and arrays within each other'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF priority IS NULL OR priority NOT BETWEEN 0 AND 9 THEN
        RAISE EXCEPTION 'priority is 0 to 9' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF coalesce(delay_millis, -1) NOT BETWEEN 0 AND 1576800000000
       OR coalesce(time_to_live_millis, -1) NOT BETWEEN 0 AND 1576800000000 THEN
        RAISE EXCEPTION 'delay_millis and time_to_live_millis are 0 to 1576800000000, which is 50 years'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF length(properties->>'JMSXGroupID') > 255 THEN
        RAISE EXCEPTION 'JMSXGroupID in properties has up to 255 characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF length(correlation_id) > 255 OR length(type) > 255 THEN
        RAISE EXCEPTION 'correlation_id and type have up to 255 characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF strpos(reply_to, '://') = 0 THEN
        reply_to := 'queue://' || reply_to;
    END IF;
    IF reply_to !~ '^(temp-)?(queue|topic)://.' OR length(reply_to) > 450 THEN
        RAISE EXCEPTION 'reply_to is the name of a queue, or queue:// or topic:// and a name'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF starts_with(queue, 'temp-queue://') THEN
        destination := queue;
        SELECT d.destination_id INTO id FROM readpast.destination d WHERE d.kind = 'TQ' AND d.name = substr(queue, 14);
        IF id IS NULL THEN
            RAISE EXCEPTION 'The temporary queue % is gone', queue USING ERRCODE = 'invalid_parameter_value';
        END IF;
    ELSE
        queue := regexp_replace(queue, '^queue://', '');
        destination := 'queue://' || queue;
        id := readpast.find_queue(queue, true);
    END IF;
    IF EXISTS (SELECT FROM readpast.destination d WHERE d.destination_id = id AND d.paused IN ('send', 'both')) THEN
        RAISE EXCEPTION 'The queue % is paused: nothing can be sent to it until somebody calls resume', queue
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF time_to_live_millis > 0 THEN
        expires := sent + time_to_live_millis * interval '1 millisecond';
    END IF;
    IF delay_millis = 0 THEN
        INSERT INTO readpast.message (
            destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
            jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body,
            enqueued_at, expires_at)
        VALUES (
            id, 9 - priority, jms_id, destination, reply_to, correlation_id, type, 2,
            millis, CASE WHEN expires IS NULL THEN 0 ELSE millis + time_to_live_millis END, millis,
            properties->>'JMSXGroupID', properties, CASE WHEN format = 1 THEN 2 ELSE 1 END, format,
            coalesce(length(bytes), 0), bytes, sent, expires);
    ELSE
        INSERT INTO readpast.delayed_message (
            due_at, destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
            delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format,
            body_length, body, enqueued_at, expires_at)
        VALUES (
            sent + delay_millis * interval '1 millisecond', id, 9 - priority, jms_id, destination, reply_to,
            correlation_id, type, 2, millis, CASE WHEN expires IS NULL THEN 0 ELSE millis + time_to_live_millis END,
            millis + delay_millis, properties->>'JMSXGroupID', properties, CASE WHEN format = 1 THEN 2 ELSE 1 END, format,
            coalesce(length(bytes), 0), bytes, sent, expires);
    END IF;
    -- Behind the insert, so that who finds nothing left in a queue that leaves or is removed either waits for this message or is seen here.
    PERFORM readpast.check_not_moved(id);
    RETURN jms_id;
END
$$;

-- Puts messages of one queue that have become due, and those whose lease is over, back into the queue. What any JVM of the
-- JMS side does for all queues, so that it is done where none runs.
-- Those that come for the first time get new ids in the order of their due times, as the JMS side gives them. Nobody else is kept from moving
-- meanwhile, for as long as the caller's transaction may last: what another one is moving may come behind later messages that are moved here.
-- Index: delayed_message_destination; appends to readpast.message. The time is asked for once: what may differ from row to row is no condition
-- of an index.
-- Locks: the moved rows; rows that others hold are stepped over.
CREATE OR REPLACE FUNCTION readpast.move_due(queue int, most int)
RETURNS void
LANGUAGE sql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
    WITH due AS (
        SELECT due_at, message_id
        FROM readpast.delayed_message
        WHERE destination_id = queue AND due_at <= (SELECT clock_timestamp())
        ORDER BY destination_id, due_at, message_id
        LIMIT most
        FOR UPDATE SKIP LOCKED), gone AS (
        DELETE FROM readpast.delayed_message m
        USING due d
        WHERE m.due_at = d.due_at AND m.message_id = d.message_id
        RETURNING m.*)
    INSERT INTO readpast.message (
        destination_id, priority_order, message_id,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
        origin_id, delivery_count)
    SELECT
        destination_id, priority_order,
        CASE WHEN delivery_count = 0 OR readpast.is_taken(destination_id, priority_order, message_id)
            THEN nextval('readpast.message_seq') ELSE message_id END,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
        origin_id, delivery_count
    FROM (SELECT * FROM gone ORDER BY due_at, message_id) AS in_order
$$;

-- Properties with notes among them, in place of any of the same names. As json, not as jsonb, so that what the sender wrote stays as it is.
-- Strings that JMS may hold and PostgreSQL may not (a NUL, half of a surrogate pair) fail with 22P05 or 22P02 where JSON is taken apart. Then
-- the notes are written behind the rest: of two members of one name the last one counts.
CREATE OR REPLACE FUNCTION readpast.with_notes(properties json, notes json)
RETURNS json
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
    RETURN (
        SELECT json_object_agg(a.key, a.value)
        FROM (SELECT p.key, p.value FROM json_each(properties) p WHERE notes->p.key IS NULL
              UNION ALL
              SELECT n.key, n.value FROM json_each(notes) n) a);
EXCEPTION
    WHEN untranslatable_character OR invalid_text_representation THEN
        RETURN (regexp_replace(properties::text, '\}\s*$', ',') || substr(notes::text, 2))::json;
END
$$;

-- Makes a message that the caller has locked a dead letter of its queue, as the JMS side makes them: where it comes from, why
-- and when, how many deliveries and its id stand among its properties, and origin_id lets it be sent back. In the history of its
-- queue it is a row without the body, which the dead letter, of the same message_id, goes on having.
-- claimed: null where it was found with its attempts used up. worker: null for the session's user.
CREATE OR REPLACE FUNCTION readpast.bury(
    queue int, priority smallint, id bigint, reason text, claimed timestamptz, worker text)
RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
DECLARE
    target text;
    target_id int;
    kept smallint;
    m record;
    notes json;
BEGIN
    SELECT coalesce(d.dead_letter_queue, 'DLQ'), d.history INTO target, kept
    FROM readpast.destination d
    WHERE d.destination_id = queue;
    target_id := readpast.find_queue(target, true);
    SELECT r.properties, r.jms_destination, r.jms_message_id, r.delivery_count, r.enqueued_at INTO m
    FROM readpast.message r
    WHERE r.destination_id = queue AND r.priority_order = priority AND r.message_id = id;
    notes := json_build_object(
        'JMS_READPAST_OriginalDestination', m.jms_destination,
        'JMS_READPAST_OriginalMessageID', m.jms_message_id,
        'JMS_READPAST_DeadLetterReason',
            coalesce(reason, 'delivered ' || m.delivery_count || ' times without being acknowledged'),
        'JMS_READPAST_DeadLetterTime', floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        'JMS_READPAST_Deliveries', m.delivery_count);
    UPDATE readpast.message r
    SET origin_id = r.destination_id,
        destination_id = target_id,
        jms_destination = 'queue://' || target,
        jms_expiration = 0,
        properties = readpast.with_notes(r.properties, notes),
        enqueued_at = clock_timestamp(),
        expires_at = NULL,
        delivery_count = 0
    WHERE r.destination_id = queue AND r.priority_order = priority AND r.message_id = id;
    IF kept = 1 THEN
        INSERT INTO readpast.message_history (
            completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, delivery_count, enqueued_at, claimed_at, consumer, outcome)
        SELECT
            clock_timestamp(), queue, id, priority, r.jms_message_id, r.correlation_id, r.jms_type, r.reply_to, r.group_id,
            m.properties, r.body_kind, r.body_format, r.body_length, m.delivery_count, m.enqueued_at, claimed,
            coalesce(worker, session_user), 'dead letter'
        FROM readpast.message r
        WHERE r.destination_id = target_id AND r.priority_order = priority AND r.message_id = id;
    END IF;
END
$$;

-- Locks the first messages of a queue that nobody holds, in the order of delivery; those whose attempts are used up become
-- dead letters. Returns a JSON array of objects with p and i, priority_order and message_id; null for none.
-- Locks: the rows, until the transaction ends; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.lock_batch(queue int, batch int, worker text)
RETURNS json
LANGUAGE plpgsql
AS $$
DECLARE
    attempts int := readpast.attempt_limit(queue);
    after_priority smallint := -1;
    after_id bigint := 0;
    wanted int := batch;
    got int := batch;
    keys text[] := '{}';
    m record;
BEGIN
    IF EXISTS (SELECT FROM readpast.destination d WHERE d.destination_id = queue AND d.paused IN ('receive', 'both')) THEN
        RETURN NULL;
    END IF;
    WHILE wanted > 0 AND got = wanted LOOP
        got := 0;
        wanted := batch - cardinality(keys);
        FOR m IN SELECT c.priority_order, c.message_id, c.delivery_count
                 FROM readpast.claim(queue, after_priority, after_id, wanted, -1) c LOOP
            got := got + 1;
            after_priority := m.priority_order;
            after_id := m.message_id;
            IF m.delivery_count >= attempts THEN
                PERFORM readpast.bury(queue, m.priority_order, m.message_id, NULL, NULL, worker);
            ELSE
                keys := keys || format('{"p":%s,"i":%s}', m.priority_order, m.message_id);
            END IF;
        END LOOP;
        EXIT WHEN cardinality(keys) = batch;
    END LOOP;
    RETURN CASE WHEN cardinality(keys) > 0 THEN '[' || array_to_string(keys, ',') || ']' END;
END
$$;

-- A time in milliseconds since 1970, which is the sender's and may be any number: null where there is no such time between the years 1 and
-- 9999.
CREATE OR REPLACE FUNCTION readpast.time_of(millis bigint)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE
AS $$
    SELECT CASE WHEN millis BETWEEN -62135596800000 AND 253402300799999 THEN to_timestamp(millis / 1000.0) END
$$;

-- The kind of a message, from body_kind.
CREATE OR REPLACE FUNCTION readpast.kind_name(body_kind smallint)
RETURNS text
LANGUAGE sql IMMUTABLE
AS $$
    SELECT CASE body_kind WHEN 0 THEN 'message' WHEN 1 THEN 'text' WHEN 2 THEN 'bytes' WHEN 3 THEN 'map'
                          WHEN 4 THEN 'stream' ELSE 'object' END
$$;

-- Receives up to so many messages that nobody else gets, within the caller's transaction: they are gone when it commits and back
-- when it rolls back, and until then others step over them. Moves messages that have become due first; those that it does not
-- receive can be received by others when the transaction has ended.
-- Columns: message_id (the order of sending), jms_message_id, priority, kind, body (text; the JSON of map and stream messages),
-- binary_body (of bytes and object messages, of text that PostgreSQL cannot hold, in UTF-16LE, and of what is no text), properties, correlation_id,
-- type, reply_to, delivery_count (earlier deliveries), sent_at, enqueued_at, expires_at.
-- Locks: the received rows; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.receive_batch(queue text, batch int DEFAULT 1)
RETURNS TABLE (
    message_id bigint, jms_message_id varchar, priority int, kind text, body text, binary_body bytea, properties json,
    correlation_id varchar, type varchar, reply_to varchar, delivery_count int, sent_at timestamptz, enqueued_at timestamptz,
    expires_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    id int := readpast.find_queue(queue, false);
    keeps boolean := (SELECT d.history = 1 FROM readpast.destination d WHERE d.destination_id = id);
    received timestamptz;
    keys json;
BEGIN
    IF batch IS NULL OR batch NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'batch is 1 to 10000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM readpast.move_due(id, batch);
    keys := readpast.lock_batch(id, batch, NULL);
    received := clock_timestamp();
    RETURN QUERY
    WITH gone AS (
        DELETE FROM readpast.message m
        USING json_to_recordset(keys) AS k (p smallint, i bigint)
        WHERE m.destination_id = id AND m.priority_order = k.p AND m.message_id = k.i
        RETURNING m.*), kept AS (
        INSERT INTO readpast.message_history (
            completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, claimed_at, consumer, outcome)
        SELECT
            received, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count % 2147483647 + 1, enqueued_at, received, session_user, 'completed'
        FROM gone
        WHERE keeps)
    SELECT g.message_id, g.jms_message_id, 9 - g.priority_order, readpast.kind_name(g.body_kind),
           CASE WHEN g.body_format = 2 THEN readpast.text_of(coalesce(g.body, b.body)) END,
           CASE WHEN g.body_format <> 2 OR readpast.text_of(coalesce(g.body, b.body)) IS NULL THEN coalesce(g.body, b.body) END,
           g.properties::json, g.correlation_id, g.jms_type, g.reply_to, g.delivery_count::int,
           readpast.time_of(g.jms_timestamp), g.enqueued_at, g.expires_at
    FROM gone g
    LEFT JOIN readpast.shared_body b ON b.body_id = g.body_id
    ORDER BY g.priority_order, g.message_id;
END
$$;

-- Claims up to so many messages for work that takes its time: they are out of the queue until lease_seconds have passed, without
-- an open transaction. Then they are back, unless the worker has called complete, fail or extend with the claim_token of each.
-- A claim counts as an attempt, whatever becomes of the worker; a message whose attempts are used up is a dead letter.
-- Call it in a transaction of its own (a statement in autocommit mode): a claim counts once it is committed, which comes behind the last row.
-- Columns: claim_token, attempt (1 for the first), deadline, and those of receive_batch.
-- Locks: the claimed rows; rows locked by others are stepped over.
CREATE OR REPLACE FUNCTION readpast.claim(queue text, count int DEFAULT 1, lease_seconds int DEFAULT 60, worker text DEFAULT NULL)
RETURNS TABLE (
    claim_token uuid, attempt int, deadline timestamptz,
    message_id bigint, jms_message_id varchar, priority int, kind text, body text, binary_body bytea, properties json,
    correlation_id varchar, type varchar, reply_to varchar, delivery_count int, sent_at timestamptz, enqueued_at timestamptz,
    expires_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    id int := readpast.find_queue(queue, false);
    claimed timestamptz;
    keys json;
BEGIN
    IF claim.count IS NULL OR claim.count NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'count is 1 to 10000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF lease_seconds IS NULL OR lease_seconds NOT BETWEEN 1 AND 31536000 THEN
        RAISE EXCEPTION 'lease_seconds is 1 to 31536000, which is a year' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF length(claim.worker) > 255 THEN
        RAISE EXCEPTION 'worker has up to 255 characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM readpast.move_due(id, 1000);
    keys := readpast.lock_batch(id, claim.count, claim.worker);
    claimed := clock_timestamp();
    RETURN QUERY
    WITH gone AS (
        DELETE FROM readpast.message m
        USING json_to_recordset(keys) AS k (p smallint, i bigint)
        WHERE m.destination_id = id AND m.priority_order = k.p AND m.message_id = k.i
        RETURNING m.*), leased AS (
        INSERT INTO readpast.delayed_message (
            due_at, message_id, destination_id, priority_order, claim_token, worker, claimed_at,
            jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
            jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at,
            expires_at, origin_id, delivery_count)
        SELECT
            claimed + lease_seconds * interval '1 second', message_id, destination_id, priority_order, gen_random_uuid(),
            coalesce(claim.worker, session_user), claimed,
            jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
            jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
            origin_id, delivery_count % 2147483647 + 1
        FROM gone
        RETURNING *)
    SELECT l.claim_token, l.delivery_count::int, l.due_at,
           l.message_id, l.jms_message_id, 9 - l.priority_order, readpast.kind_name(l.body_kind),
           CASE WHEN l.body_format = 2 THEN readpast.text_of(coalesce(l.body, b.body)) END,
           CASE WHEN l.body_format <> 2 OR readpast.text_of(coalesce(l.body, b.body)) IS NULL THEN coalesce(l.body, b.body) END,
           l.properties::json, l.correlation_id, l.jms_type, l.reply_to, l.delivery_count - 1,
           readpast.time_of(l.jms_timestamp), l.enqueued_at, l.expires_at
    FROM leased l
    LEFT JOIN readpast.shared_body b ON b.body_id = l.body_id
    ORDER BY l.priority_order, l.message_id;
END
$$;

-- Ends a claim whose work is done: the message is gone. In the caller's transaction, so that it may be one with the work's
-- results. Returns whether; false where the token is stale, and then changes nothing: the lease was over and the message is back
-- in the queue, with somebody else, or done.
-- Index: delayed_message_claim; readpast.destination by key.
CREATE OR REPLACE FUNCTION readpast.complete(claim_token uuid)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
DECLARE
    completed int;
BEGIN
    WITH gone AS (
        DELETE FROM readpast.delayed_message m WHERE m.claim_token = complete.claim_token
        RETURNING m.*), kept AS (
        INSERT INTO readpast.message_history (
            completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, claimed_at, consumer, outcome)
        SELECT
            clock_timestamp(), g.destination_id, g.message_id, g.priority_order, g.jms_message_id, g.correlation_id, g.jms_type,
            g.reply_to, g.group_id, g.properties, g.body_kind, g.body_format, g.body_length, g.body, g.delivery_count,
            g.enqueued_at, g.claimed_at, g.worker, 'completed'
        FROM gone g
        JOIN readpast.destination d ON d.destination_id = g.destination_id
        WHERE d.history = 1)
    SELECT count(*) INTO completed FROM gone;
    RETURN completed = 1;
END
$$;

-- Ends a claim whose work has failed: the message is back in its queue at once, or a dead letter where its attempts are used up,
-- with the reason among its properties. In the caller's transaction. Returns whether; false where the token is stale: see complete.
-- Index: delayed_message_claim; appends to readpast.message.
CREATE OR REPLACE FUNCTION readpast.fail(claim_token uuid, reason text DEFAULT NULL)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
DECLARE
    claimed timestamptz;
    worker text;
    m record;
BEGIN
    SELECT d.claimed_at, d.worker INTO claimed, worker FROM readpast.delayed_message d WHERE d.claim_token = fail.claim_token;
    WITH gone AS (
        DELETE FROM readpast.delayed_message d
        WHERE d.claim_token = fail.claim_token
        RETURNING d.*)
    INSERT INTO readpast.message (
        destination_id, priority_order, message_id,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
        origin_id, delivery_count)
    SELECT
        destination_id, priority_order, message_id,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
        origin_id, delivery_count
    FROM gone
    RETURNING destination_id, priority_order, message_id, delivery_count INTO m;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF m.delivery_count >= readpast.attempt_limit(m.destination_id) THEN
        PERFORM readpast.bury(m.destination_id, m.priority_order, m.message_id, reason, claimed, worker);
    END IF;
    RETURN true;
END
$$;

-- Gives a claim more time: lease_seconds from now. In the caller's transaction. Returns whether; false where the token is stale:
-- see complete.
-- Index: delayed_message_claim.
CREATE OR REPLACE FUNCTION readpast.extend(claim_token uuid, lease_seconds int DEFAULT 60)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
BEGIN
    IF lease_seconds IS NULL OR lease_seconds NOT BETWEEN 1 AND 31536000 THEN
        RAISE EXCEPTION 'lease_seconds is 1 to 31536000, which is a year' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE readpast.delayed_message m
    SET due_at = clock_timestamp() + lease_seconds * interval '1 second'
    WHERE m.claim_token = extend.claim_token;
    RETURN FOUND;
END
$$;

REVOKE ALL ON FUNCTION
    readpast.create_queue(text, int, text, text),
    readpast.pause(text, text, text),
    readpast.resume(text, text),
    readpast.mark_moved(text, text, text, text),
    readpast.send(text, text, json, int, bigint, bigint, text, text, text, bytea),
    readpast.receive_batch(text, int),
    readpast.claim(text, int, int, text),
    readpast.complete(uuid),
    readpast.fail(uuid, text),
    readpast.extend(uuid, int)
    FROM PUBLIC;

INSERT INTO readpast.schema_version (version, script) VALUES (4, '004-procedures.sql') ON CONFLICT (version) DO NOTHING;
