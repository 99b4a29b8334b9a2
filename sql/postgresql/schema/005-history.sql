-- Version 5: which queues keep a history, and for how long. The table is message_history in 001-tables.sql; sql/README.md says what
-- stands in it. May be run again. Arguments that are wrong fail with invalid_parameter_value (22023).

-- Deletes claimed messages of queues with a history, notes in it that they are completed, and returns how many were there. As
-- readpast.acknowledge of 003-functions.sql, with settings of its own for the same reason. held_millis: for how long the consumer has had
-- them, null where that is not known.
CREATE OR REPLACE FUNCTION readpast.acknowledge_with_history(keys bigint[], held_millis int, consumer varchar)
RETURNS int
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    at int := 1;
    queue int;
    place smallint;
    ids bigint[];
    completed timestamptz := clock_timestamp();
    part int;
    deleted int := 0;
BEGIN
    WHILE at < cardinality(keys) LOOP
        queue := keys[at];
        place := keys[at + 1];
        ids := keys[at + 3 : at + 2 + keys[at + 2]];
        WITH gone AS (
            DELETE FROM readpast.message
            WHERE destination_id = queue AND priority_order = place AND message_id = ANY (ids)
              AND message_id BETWEEN ids[1] AND ids[cardinality(ids)]
            RETURNING *)
        INSERT INTO readpast.message_history (
            completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, claimed_at, consumer, outcome)
        SELECT
            completed, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count % 2147483647 + 1, enqueued_at,
            completed - held_millis * interval '1 millisecond', acknowledge_with_history.consumer, 'completed'
        FROM gone;
        GET DIAGNOSTICS part = ROW_COUNT;
        deleted := deleted + part;
        at := at + 3 + cardinality(ids);
    END LOOP;
    RETURN deleted;
END
$$;

-- Deletes leased messages by their tokens, and tells the history; returns how many were there.
CREATE OR REPLACE FUNCTION readpast.complete_leases_with_history(tokens json, consumer varchar)
RETURNS int
LANGUAGE plpgsql
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    completed int;
BEGIN
    WITH gone AS (
        DELETE FROM readpast.delayed_message m
        USING json_array_elements_text(tokens) AS k (token)
        WHERE m.claim_token = CAST(k.token AS uuid) AND m.claim_token IS NOT NULL
        RETURNING m.*)
    INSERT INTO readpast.message_history (
        completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
        properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, claimed_at, consumer, outcome)
    SELECT
        clock_timestamp(), destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
        properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, claimed_at,
        complete_leases_with_history.consumer, 'completed'
    FROM gone;
    GET DIAGNOSTICS completed = ROW_COUNT;
    RETURN completed;
END
$$;

-- From now on keeps what becomes of the messages of a queue, which is created where there is none: for so many days, and up to so many
-- rows; null for no limit. Programs in SQL follow when this is committed, JMS clients some seconds later.
CREATE OR REPLACE FUNCTION readpast.keep_history(queue text, days int DEFAULT NULL, rows int DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    id int;
BEGIN
    IF days NOT BETWEEN 0 AND 36500 OR keep_history.rows < 0 THEN
        RAISE EXCEPTION 'days is 0 to 36500 and rows 0 or more; null for no limit' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    id := readpast.find_queue(queue, true);
    UPDATE readpast.destination d
    SET history = 1, history_days = days, history_rows = keep_history.rows
    WHERE d.destination_id = id
      AND (d.history, d.history_days, d.history_rows) IS DISTINCT FROM (1, days, keep_history.rows);
END
$$;

-- Ends the history of a queue. What there is of it goes with the next calls of purge_history, by a JMS client for example.
CREATE OR REPLACE FUNCTION readpast.drop_history(queue text)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    id int := readpast.find_queue(queue, false);
BEGIN
    UPDATE readpast.destination d
    SET history = 0, history_days = NULL, history_rows = 0
    WHERE d.destination_id = id AND (d.history, d.history_days, d.history_rows) IS DISTINCT FROM (0, NULL, 0);
END
$$;

-- Removes up to so many rows that are older than their queue keeps them, or more than it keeps, the oldest first, and returns how many:
-- call it again, in another transaction, while it returns most. JMS clients do this every minute; for a server that has none it is a
-- job's. queue: null for all.
-- Index: the primary key, for each queue from its end over as many rows as it keeps, where it keeps a number; then from its start.
-- Locks: the deleted rows; rows that others hold are stepped over.
CREATE OR REPLACE FUNCTION readpast.purge_history(queue text DEFAULT NULL, most int DEFAULT 10000)
RETURNS int
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
    only_id int := CASE WHEN queue IS NOT NULL THEN readpast.find_queue(queue, false) END;
    d record;
    end_at timestamptz;
    end_id bigint;
    removed int := 0;
    got int;
BEGIN
    IF most IS NULL OR most < 1 THEN
        RAISE EXCEPTION 'most is 1 or more' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    FOR d IN SELECT q.destination_id, q.history_days, q.history_rows
             FROM readpast.destination q
             WHERE (q.history_days IS NOT NULL OR q.history_rows IS NOT NULL)
               AND (queue IS NULL OR q.destination_id = only_id) LOOP
        EXIT WHEN removed >= most;
        end_at := NULL;
        IF d.history_rows IS NOT NULL THEN
            SELECT h.completed_at, h.history_id INTO end_at, end_id
            FROM readpast.message_history h
            WHERE h.destination_id = d.destination_id
            ORDER BY h.destination_id DESC, h.completed_at DESC, h.history_id DESC
            OFFSET d.history_rows LIMIT 1;
        END IF;
        IF end_at IS NULL OR end_at < clock_timestamp() - d.history_days * interval '1 day' THEN
            end_at := clock_timestamp() - d.history_days * interval '1 day';
            end_id := 0;
        END IF;
        WITH doomed AS (
            SELECT h.destination_id, h.completed_at, h.history_id
            FROM readpast.message_history h
            WHERE h.destination_id = d.destination_id AND (h.completed_at, h.history_id) <= (end_at, end_id)
            ORDER BY h.destination_id, h.completed_at, h.history_id
            LIMIT most - removed
            FOR UPDATE SKIP LOCKED)
        DELETE FROM readpast.message_history h
        USING doomed k
        WHERE h.destination_id = k.destination_id AND h.completed_at = k.completed_at AND h.history_id = k.history_id;
        GET DIAGNOSTICS got = ROW_COUNT;
        removed := removed + got;
    END LOOP;
    RETURN removed;
END
$$;

REVOKE ALL ON FUNCTION
    readpast.keep_history(text, int, int),
    readpast.drop_history(text),
    readpast.purge_history(text, int)
    FROM PUBLIC;

INSERT INTO readpast.schema_version (version, script) VALUES (5, '005-history.sql') ON CONFLICT (version) DO NOTHING;
