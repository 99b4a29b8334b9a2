-- Version 3: what is done to the message table for each message.
--
-- PostgreSQL chooses a plan by how full a table seems to be. A queue is empty at one moment and holds a hundred thousand
-- messages at the next, and a plan that scans or sorts the few rows that were there would then scan or sort them all, for each
-- claim. So these are functions: a function has settings of its own, which leave the planner nothing but the indexes, and
-- which touch nothing else that the same connection does.
--
-- Those with a LIMIT are planned once for each connection (plan_cache_mode). Left to itself PostgreSQL would plan them for each call,
-- since a plan for a limit that it knows seems cheaper than one for any, and the planning costs more than the claim of a message. Their
-- plan is the same for all values, as nothing but the index is left.
--
-- Each has these parameters, or some of them: the queue's destination_id; the key to start behind (-32769 and 0 for the head);
-- how many rows at the most; the largest body in bytes that is returned with its row, larger ones come as null, and properties of more than 8192 characters as their length; keys as a
-- JSON array of objects with d, p and i: destination_id, priority_order, message_id.

-- Claims the first messages of a queue that nobody holds, in the order of delivery. Locks them until the transaction ends. suspect is
-- 1 where a message may have been in delivery when a JVM died; marks are looked for once for all messages. By clock_timestamp, since for
-- receive_batch and claim in a DO block, or in a procedure, the statement may have begun long ago.
CREATE FUNCTION readpast.claim(queue int, behind_priority int, behind_id bigint, most int, largest_body int)
RETURNS TABLE (
    destination_id int, priority_order readpast.message_priority, message_id bigint, jms_message_id varchar, jms_destination varchar,
    reply_to varchar, correlation_id varchar, jms_type varchar, delivery_mode readpast.message_mode, jms_timestamp bigint,
    jms_expiration bigint, jms_delivery_time bigint, group_id varchar, properties json, body_kind readpast.message_kind,
    body_format readpast.message_format, body_length readpast.message_length, delivery_count readpast.message_count, body bytea, suspect int)
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id,
           m.jms_type, m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
           CASE WHEN length(m.properties::text) <= 8192 THEN m.properties ELSE to_json(length(m.properties::text)) END,
           m.body_kind, m.body_format, m.body_length, m.delivery_count,
           CASE WHEN m.body_id IS NULL THEN CASE WHEN octet_length(m.body) <= largest_body THEN m.body END
                WHEN m.body_length <= largest_body THEN (
                    SELECT b.body FROM readpast.shared_body b WHERE b.body_id = m.body_id AND octet_length(b.body) <= largest_body) END,
           CASE WHEN m.message_id <= (SELECT max(s.up_to) FROM readpast.suspect_mark s WHERE s.destination_id = queue)
               THEN 1 ELSE 0 END
    FROM readpast.message m
    WHERE m.destination_id = queue
      AND (m.priority_order, m.message_id) > (behind_priority, behind_id)
      AND (m.expires_at IS NULL OR m.expires_at > clock_timestamp())
    ORDER BY m.destination_id, m.priority_order, m.message_id
    LIMIT most
    FOR UPDATE SKIP LOCKED;
END
$$;

-- Claims the first of the messages with these keys that nobody holds. Locks them until the transaction ends.
CREATE FUNCTION readpast.claim_by_key(keys json, most int, largest_body int)
RETURNS TABLE (
    destination_id int, priority_order readpast.message_priority, message_id bigint, jms_message_id varchar, jms_destination varchar,
    reply_to varchar, correlation_id varchar, jms_type varchar, delivery_mode readpast.message_mode, jms_timestamp bigint,
    jms_expiration bigint, jms_delivery_time bigint, group_id varchar, properties json, body_kind readpast.message_kind,
    body_format readpast.message_format, body_length readpast.message_length, delivery_count readpast.message_count, body bytea, suspect int)
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id,
           m.jms_type, m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
           CASE WHEN length(m.properties::text) <= 8192 THEN m.properties ELSE to_json(length(m.properties::text)) END,
           m.body_kind, m.body_format, m.body_length, m.delivery_count,
           CASE WHEN m.body_id IS NULL THEN CASE WHEN octet_length(m.body) <= largest_body THEN m.body END
                WHEN m.body_length <= largest_body THEN (
                    SELECT b.body FROM readpast.shared_body b WHERE b.body_id = m.body_id AND octet_length(b.body) <= largest_body) END,
           CASE WHEN EXISTS (
               SELECT FROM readpast.suspect_mark s WHERE s.destination_id = m.destination_id AND s.up_to >= m.message_id)
               THEN 1 ELSE 0 END
    FROM json_to_recordset(keys) AS k (d int, p smallint, i bigint)
    CROSS JOIN LATERAL (
        SELECT *
        FROM readpast.message
        WHERE destination_id = k.d AND priority_order = k.p AND message_id = k.i
          AND (expires_at IS NULL OR expires_at > statement_timestamp())
        FOR UPDATE SKIP LOCKED) AS m
    LIMIT most;
END
$$;

-- Locks the messages with these keys that nobody else holds, until the transaction ends.
CREATE FUNCTION readpast.lock_messages(keys json)
RETURNS TABLE (
    destination_id int, priority_order readpast.message_priority, message_id bigint, jms_message_id varchar, jms_timestamp bigint)
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_timestamp
    FROM json_to_recordset(keys) AS k (d int, p smallint, i bigint)
    CROSS JOIN LATERAL (
        SELECT *
        FROM readpast.message
        WHERE destination_id = k.d AND priority_order = k.p AND message_id = k.i
        FOR UPDATE SKIP LOCKED) AS m;
END
$$;

-- Reads a stretch of a queue without locking, within what a selector demands of header fields; null for any.
CREATE FUNCTION readpast.browse(
    queue int, behind_priority int, behind_id bigint, most int, largest_body int,
    lowest_order int, highest_order int, earliest bigint, latest bigint, mode int, id varchar, type varchar)
RETURNS TABLE (
    destination_id int, priority_order readpast.message_priority, message_id bigint, jms_message_id varchar, jms_destination varchar,
    reply_to varchar, correlation_id varchar, jms_type varchar, delivery_mode readpast.message_mode, jms_timestamp bigint,
    jms_expiration bigint, jms_delivery_time bigint, group_id varchar, properties json, body_kind readpast.message_kind,
    body_format readpast.message_format, body_length readpast.message_length, delivery_count readpast.message_count, body bytea)
LANGUAGE plpgsql STABLE
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id,
           m.jms_type, m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
           CASE WHEN length(m.properties::text) <= 8192 THEN m.properties ELSE to_json(length(m.properties::text)) END,
           m.body_kind, m.body_format, m.body_length, m.delivery_count,
           CASE WHEN m.body_id IS NULL THEN CASE WHEN octet_length(m.body) <= largest_body THEN m.body END
                WHEN m.body_length <= largest_body THEN (
                    SELECT b.body FROM readpast.shared_body b WHERE b.body_id = m.body_id AND octet_length(b.body) <= largest_body) END
    FROM readpast.message m
    WHERE m.destination_id = queue
      AND (m.priority_order, m.message_id) > (behind_priority, behind_id)
      AND m.priority_order BETWEEN lowest_order AND highest_order
      AND m.jms_timestamp BETWEEN earliest AND latest
      AND (mode IS NULL OR m.delivery_mode = mode)
      AND (id IS NULL OR m.jms_message_id = id)
      AND (type IS NULL OR m.jms_type = type)
      AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ORDER BY m.destination_id, m.priority_order, m.message_id
    LIMIT most;
END
$$;

-- The same for the messages of one correlation id, few as a rule, which are sorted. The sums keep the planner from
-- walking through the primary key, which it thinks cheap while the table seems empty.
CREATE FUNCTION readpast.browse_correlated(
    queue int, correlation varchar, behind_priority int, behind_id bigint, most int, largest_body int,
    lowest_order int, highest_order int, earliest bigint, latest bigint, mode int, id varchar, type varchar)
RETURNS TABLE (
    destination_id int, priority_order readpast.message_priority, message_id bigint, jms_message_id varchar, jms_destination varchar,
    reply_to varchar, correlation_id varchar, jms_type varchar, delivery_mode readpast.message_mode, jms_timestamp bigint,
    jms_expiration bigint, jms_delivery_time bigint, group_id varchar, properties json, body_kind readpast.message_kind,
    body_format readpast.message_format, body_length readpast.message_length, delivery_count readpast.message_count, body bytea)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id,
           m.jms_type, m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
           CASE WHEN length(m.properties::text) <= 8192 THEN m.properties ELSE to_json(length(m.properties::text)) END,
           m.body_kind, m.body_format, m.body_length, m.delivery_count,
           CASE WHEN m.body_id IS NULL THEN CASE WHEN octet_length(m.body) <= largest_body THEN m.body END
                WHEN m.body_length <= largest_body THEN (
                    SELECT b.body FROM readpast.shared_body b WHERE b.body_id = m.body_id AND octet_length(b.body) <= largest_body) END
    FROM readpast.message m
    WHERE m.correlation_id = correlation
      AND m.destination_id + 0 = queue
      AND (m.priority_order + 0, m.message_id) > (behind_priority, behind_id)
      AND m.priority_order + 0 BETWEEN lowest_order AND highest_order
      AND m.jms_timestamp BETWEEN earliest AND latest
      AND (mode IS NULL OR m.delivery_mode = mode)
      AND (id IS NULL OR m.jms_message_id = id)
      AND (type IS NULL OR m.jms_type = type)
      AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ORDER BY m.priority_order, m.message_id
    LIMIT most;
END
$$;

-- The same for a claim by groups, without bodies: messages of no group, of groups that nobody has, and of one consumer's own,
-- and whether they are its own. With a nested loop one seek for each message says whose its group is.
CREATE FUNCTION readpast.browse_groups(
    queue int, member varchar, behind_priority int, behind_id bigint, most int,
    lowest_order int, highest_order int, earliest bigint, latest bigint, mode int, id varchar, correlation varchar, type varchar)
RETURNS TABLE (
    destination_id int, priority_order readpast.message_priority, message_id bigint, jms_message_id varchar, jms_destination varchar,
    reply_to varchar, correlation_id varchar, jms_type varchar, delivery_mode readpast.message_mode, jms_timestamp bigint,
    jms_expiration bigint, jms_delivery_time bigint, group_id varchar, properties json, body_kind readpast.message_kind,
    body_format readpast.message_format, body_length readpast.message_length, delivery_count readpast.message_count, body bytea, owned int)
LANGUAGE plpgsql STABLE
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id,
           m.jms_type, m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
           CASE WHEN length(m.properties::text) <= 8192 THEN m.properties ELSE to_json(length(m.properties::text)) END,
           m.body_kind, m.body_format, m.body_length, m.delivery_count, NULL::bytea,
           CASE WHEN g.consumer IS NULL THEN 0 ELSE 1 END
    FROM readpast.message m
    LEFT JOIN readpast.message_group g ON g.destination_id = m.destination_id AND g.group_id = m.group_id
    WHERE m.destination_id = queue
      AND (m.priority_order, m.message_id) > (behind_priority, behind_id)
      AND (g.consumer IS NULL OR g.consumer = member)
      AND m.priority_order BETWEEN lowest_order AND highest_order
      AND m.jms_timestamp BETWEEN earliest AND latest
      AND (mode IS NULL OR m.delivery_mode = mode)
      AND (id IS NULL OR m.jms_message_id = id)
      AND (correlation IS NULL OR m.correlation_id = correlation)
      AND (type IS NULL OR m.jms_type = type)
      AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ORDER BY m.destination_id, m.priority_order, m.message_id
    LIMIT most;
END
$$;

-- Locks those of these groups that a consumer has and that no transaction works with, until the transaction ends.
CREATE FUNCTION readpast.lock_groups(queue int, member varchar, ids json)
RETURNS SETOF varchar
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
    RETURN QUERY
    SELECT g.group_id
    FROM json_array_elements_text(ids) AS k (id)
    CROSS JOIN LATERAL (
        SELECT m.group_id
        FROM readpast.message_group m
        WHERE m.destination_id = queue AND m.group_id = k.id AND m.consumer = member
        FOR UPDATE SKIP LOCKED) AS g;
END
$$;

-- Gives up those of these groups of a consumer that no transaction works with and no message waits of.
CREATE FUNCTION readpast.forget_groups(queue int, member varchar, ids json)
RETURNS SETOF varchar
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
    k varchar;
BEGIN
    FOR k IN SELECT readpast.lock_groups(queue, member, ids) LOOP
        DELETE FROM readpast.message_group g
        WHERE g.destination_id = queue AND g.group_id = k
          AND NOT EXISTS (SELECT FROM readpast.message m WHERE m.group_id = k AND m.destination_id = queue)
          AND NOT EXISTS (SELECT FROM readpast.delayed_message d WHERE d.group_id = k AND d.destination_id = queue);
        IF FOUND THEN
            RETURN NEXT k;
        END IF;
    END LOOP;
END
$$;

-- Deletes claimed messages and returns how many were there. Where a number is expected and it is another, fails with RP001. keys: runs
-- of messages of one queue and priority, each with its destination_id, its priority_order, the number of message_ids, and these in ascending
-- order. One DELETE for each: keys as JSON cost more than twice as much for a hundred messages. A run of one message has a DELETE of its own,
-- which costs less. The range of the message_ids is for PostgreSQL before 17: a plan made for an empty table does not look ids up there,
-- but compares each message of the range with them.
CREATE FUNCTION readpast.acknowledge(keys bigint[], expected int)
RETURNS int
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    at int := 1;
    size int;
    ids bigint[];
    part int;
    deleted int := 0;
BEGIN
    WHILE at < cardinality(keys) LOOP
        size := keys[at + 2];
        IF size = 1 THEN
            DELETE FROM readpast.message
            WHERE destination_id = keys[at] AND priority_order = keys[at + 1] AND message_id = keys[at + 3];
        ELSE
            ids := keys[at + 3 : at + 2 + size];
            DELETE FROM readpast.message
            WHERE destination_id = keys[at] AND priority_order = keys[at + 1] AND message_id = ANY (ids)
              AND message_id BETWEEN ids[1] AND ids[size];
        END IF;
        GET DIAGNOSTICS part = ROW_COUNT;
        deleted := deleted + part;
        at := at + 3 + size;
    END LOOP;
    IF deleted <> expected THEN
        RAISE EXCEPTION 'Of % claimed messages only % are still there', expected, deleted USING ERRCODE = 'RP001';
    END IF;
    RETURN deleted;
END
$$;

-- Moves claimed messages out of the queue until their lease is over, each with the token of its claim (t of its key), and counts the
-- delivery. Returns how many there were.
CREATE FUNCTION readpast.lease(keys json, lease_millis bigint, holder varchar)
RETURNS int
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
    k record;
    leased int := 0;
BEGIN
    FOR k IN SELECT * FROM json_to_recordset(keys) AS r (d int, p smallint, i bigint, t uuid) LOOP
        WITH gone AS (
            DELETE FROM readpast.message
            WHERE destination_id = k.d AND priority_order = k.p AND message_id = k.i
            RETURNING *)
        INSERT INTO readpast.delayed_message (
            due_at, message_id, destination_id, priority_order, claim_token, worker, claimed_at,
            jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
            jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
            origin_id, delivery_count)
        SELECT
            statement_timestamp() + lease_millis * interval '1 millisecond', message_id, destination_id, priority_order, k.t, holder,
            statement_timestamp(),
            jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
            jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
            origin_id,
            CASE WHEN delivery_count BETWEEN 0 AND 2147483646 THEN delivery_count + 1 ELSE 1 END
        FROM gone;
        IF FOUND THEN
            leased := leased + 1;
        END IF;
    END LOOP;
    RETURN leased;
END
$$;

-- Deletes messages by the tokens of their leases, and returns how many were there.
CREATE FUNCTION readpast.complete_leases(tokens json)
RETURNS int
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
    token text;
    completed int := 0;
BEGIN
    FOR token IN SELECT json_array_elements_text(tokens) LOOP
        DELETE FROM readpast.delayed_message WHERE claim_token = CAST(token AS uuid);
        IF FOUND THEN
            completed := completed + 1;
        END IF;
    END LOOP;
    RETURN completed;
END
$$;

-- Puts leased messages back as they were before their claim, and returns their keys.
CREATE FUNCTION readpast.return_leases(tokens json)
RETURNS TABLE (destination_id int, priority_order readpast.message_priority, message_id bigint)
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH gone AS (
        DELETE FROM readpast.delayed_message m
        USING json_array_elements_text(tokens) AS k (token)
        WHERE m.claim_token = CAST(k.token AS uuid) AND m.claim_token IS NOT NULL
        RETURNING m.*)
    INSERT INTO readpast.message (
        destination_id, priority_order, message_id,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
        delivery_count)
    SELECT
        destination_id, priority_order, message_id,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
        delivery_count - 1
    FROM gone
    RETURNING destination_id, priority_order, message_id;
END
$$;

-- Whether a worker holds messages by lease.
CREATE FUNCTION readpast.holds_leases(holder varchar)
RETURNS boolean
LANGUAGE plpgsql STABLE
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
    RETURN EXISTS (SELECT FROM readpast.delayed_message WHERE claim_token IS NOT NULL AND worker = holder);
END
$$;

-- Whether a message has this key.
CREATE FUNCTION readpast.is_taken(queue int, priority smallint, id bigint)
RETURNS boolean
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
BEGIN
    RETURN EXISTS (SELECT FROM readpast.message WHERE destination_id = queue AND priority_order = priority AND message_id = id);
END
$$;

-- Ends the leases of a worker that is gone, with their deliveries counted: they are over now.
CREATE FUNCTION readpast.end_leases(holder varchar)
RETURNS void
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
    WITH left_behind AS (
        SELECT due_at, message_id
        FROM readpast.delayed_message
        WHERE claim_token IS NOT NULL AND worker = holder
        FOR UPDATE SKIP LOCKED)
    UPDATE readpast.delayed_message m
    SET due_at = statement_timestamp()
    FROM left_behind l
    WHERE m.due_at = l.due_at AND m.message_id = l.message_id;
END
$$;

-- Removes shared bodies that no message refers to, of those behind an id: looks at 20000 of them, until it has found so many. Returns how many
-- are removed, and behind which id to go on; 0 where all have been looked at.
CREATE FUNCTION readpast.remove_unused_bodies(behind bigint, most int, OUT more boolean, OUT last bigint)
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    unused bigint[];
BEGIN
    unused := ARRAY(
        SELECT b.body_id
        FROM (SELECT s.body_id FROM readpast.shared_body s WHERE s.body_id > behind ORDER BY s.body_id LIMIT 20000) b
        WHERE NOT EXISTS (SELECT FROM readpast.message m WHERE m.body_id = b.body_id)
          AND NOT EXISTS (SELECT FROM readpast.delayed_message m WHERE m.body_id = b.body_id)
        LIMIT most);
    more := cardinality(unused) = most;
    IF more THEN
        last := unused[most];
    ELSE
        SELECT s.body_id INTO last FROM readpast.shared_body s WHERE s.body_id > behind ORDER BY s.body_id OFFSET 19999 LIMIT 1;
    END IF;
    DELETE FROM readpast.shared_body
    WHERE body_id = ANY (ARRAY(SELECT s.body_id FROM readpast.shared_body s WHERE s.body_id = ANY (unused) FOR UPDATE SKIP LOCKED));
    last := coalesce(last, 0);
END
$$;

-- Which of these queues have a message that has not expired. Without its plan_cache_mode it is planned anew for each array of one queue.
CREATE FUNCTION readpast.available(queues int[])
RETURNS SETOF int
LANGUAGE plpgsql STABLE
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    RETURN QUERY
    SELECT w.id
    FROM unnest(queues) AS w (id)
    CROSS JOIN LATERAL (
        SELECT 1
        FROM readpast.message m
        WHERE m.destination_id = w.id
          AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
        ORDER BY m.destination_id, m.priority_order, m.message_id
        LIMIT 1) AS first;
END
$$;

-- What follows changes rows that are not the caller's own, with the rights of its owner. So who only sends needs no right to change or
-- delete these rows, which would be one to all of them, and one to lock the tables (LOCK TABLE).

-- Whether an instance has ended or is the caller's: nobody else has its lock, and nobody gets it until the transaction ends. The name of
-- the lock begins with the product's, whatever the schema's is.
CREATE FUNCTION readpast.has_ended(ended varchar)
RETURNS boolean
LANGUAGE sql
AS $$
    SELECT pg_try_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:' || ended, 0))
$$;

-- Marks the destinations that an instance consumed from, where it has ended.
CREATE FUNCTION readpast.mark_suspects(ended varchar)
RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    INSERT INTO readpast.suspect_mark (destination_id, up_to, instance)
    SELECT c.destination_id, nextval('readpast.message_seq'), c.instance
    FROM readpast.consumed_destination c
    WHERE c.instance = ended AND c.by_lease = 0
      AND (SELECT readpast.has_ended(ended))
      AND EXISTS (SELECT 1 FROM readpast.message m WHERE m.destination_id = c.destination_id)
$$;

-- Forgets what an instance consumed from, where it has ended.
CREATE FUNCTION readpast.forget_consumed(ended varchar)
RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM readpast.consumed_destination WHERE instance = ended AND (SELECT readpast.has_ended(ended))
$$;

-- Removes the registration of an instance, where it has ended.
CREATE FUNCTION readpast.remove_presence(ended varchar)
RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM readpast.presence WHERE instance = ended AND (SELECT readpast.has_ended(ended))
$$;

-- Gives back the client ids of an instance, where it has ended.
CREATE FUNCTION readpast.release_client_ids(ended varchar)
RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM readpast.client_id WHERE instance = ended AND (SELECT readpast.has_ended(ended))
$$;

-- Gives back one client id. Its instance lives, and has its lock on another connection: so this cannot be checked.
CREATE FUNCTION readpast.release_client_id(id varchar, holder varchar)
RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM readpast.client_id WHERE client_id = id AND instance = holder
$$;

-- Forgets duplicate ids that are due to be forgotten, the oldest first, and returns how many.
CREATE FUNCTION readpast.forget_duplicates(most int)
RETURNS bigint
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    WITH forgotten AS (
        DELETE FROM readpast.duplicate_id
        WHERE ctid = ANY (ARRAY(
            SELECT ctid
            FROM readpast.duplicate_id
            WHERE forget_at <= statement_timestamp()
            ORDER BY forget_at
            LIMIT most
            FOR UPDATE SKIP LOCKED))
        RETURNING 1)
    SELECT count(*) FROM forgotten
$$;

-- Forgets traces of commits that are older than this and than ten minutes, and refusals after a day, and returns how many.
CREATE FUNCTION readpast.forget_markers(age_millis bigint, most int)
RETURNS bigint
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    WITH forgotten AS (
        DELETE FROM readpast.commit_marker
        WHERE ctid = ANY (ARRAY(
            SELECT ctid
            FROM readpast.commit_marker
            WHERE committed_at < statement_timestamp() - greatest(age_millis, 600000) * INTERVAL '1 millisecond'
              AND (NOT refused OR committed_at < statement_timestamp() - INTERVAL '1 day')
            ORDER BY committed_at
            LIMIT most
            FOR UPDATE SKIP LOCKED))
        RETURNING 1)
    SELECT count(*) FROM forgotten
$$;

-- For scripts that JMS clients of older versions cannot use: an error that names those that are connected, by whatever tool the script is run.
-- Nobody registers until the transaction ends. A client whose registration was cut off counts as gone: it is refused when it comes back.
CREATE OR REPLACE FUNCTION readpast.refuse_older_clients(oldest int)
RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    older text;
BEGIN
    LOCK TABLE readpast.presence IN SHARE MODE;
    SELECT string_agg(format('%s on %s (release %s, version %s)', p.process, p.host, p.provider_version, coalesce(p.schema_version, 0)),
                      ', ' ORDER BY p.started_at, p.instance)
    INTO older
    FROM readpast.presence p
    WHERE coalesce(p.schema_version, 0) < oldest AND NOT readpast.has_ended(p.instance);
    IF older IS NOT NULL THEN
        RAISE EXCEPTION 'this is for JMS clients of version % and later; stop these first: %', oldest, older
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END
$$;

REVOKE ALL ON FUNCTION
    readpast.refuse_older_clients(int),
    readpast.mark_suspects(varchar),
    readpast.forget_consumed(varchar),
    readpast.remove_presence(varchar),
    readpast.release_client_ids(varchar),
    readpast.release_client_id(varchar, varchar),
    readpast.forget_duplicates(int),
    readpast.forget_markers(bigint, int)
    FROM PUBLIC;

INSERT INTO readpast.schema_version (version, script) VALUES (3, '003-functions.sql');
