-- Roles with the least rights for sending, receiving, managing and looking. Run once by a superuser or a role with CREATEROLE, after
-- the numbered scripts; then grant one of them to each application's user: GRANT readpast_receive TO orders_app;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'readpast_send') THEN
        CREATE ROLE readpast_send NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'readpast_receive') THEN
        CREATE ROLE readpast_receive NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'readpast_manage') THEN
        CREATE ROLE readpast_manage NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'readpast_observe') THEN
        CREATE ROLE readpast_observe NOLOGIN;
    END IF;
    -- Once: roles belong to the server, and the owner of a second database may not grant those that another has made.
    IF NOT pg_has_role('readpast_receive', 'readpast_send', 'MEMBER') THEN
        GRANT readpast_send TO readpast_receive;
    END IF;
    IF NOT pg_has_role('readpast_manage', 'readpast_receive', 'MEMBER') THEN
        GRANT readpast_receive TO readpast_manage;
    END IF;
END
$$;

-- Send: names of destinations, new messages with their duplicate ids, and this JVM's own registration.
GRANT USAGE ON SCHEMA readpast TO readpast_send;
GRANT USAGE ON SEQUENCE readpast.message_seq TO readpast_send;
GRANT SELECT ON readpast.schema_version TO readpast_send;
-- Columns alone, where somebody who sends must not say what stands in the others: ids, since one that is taken stops whoever draws it
-- next; where a message comes from, how often it was delivered and who has it.
GRANT SELECT, INSERT (kind, name) ON readpast.destination TO readpast_send;
GRANT SELECT ON readpast.subscription, readpast.subscription_consumer, readpast.message_group TO readpast_send;
GRANT INSERT (destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
    jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id,
    expires_at) ON readpast.message TO readpast_send;
GRANT INSERT (destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
    jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id,
    expires_at, due_at) ON readpast.delayed_message TO readpast_send;
GRANT INSERT (body), SELECT (body_id) ON readpast.shared_body TO readpast_send;
GRANT SELECT (claim_token, worker) ON readpast.delayed_message TO readpast_send;
GRANT SELECT, INSERT (instance, host, process, addresses, port, secret, provider_version, schema_version), UPDATE (
    missing_since, paused_queues, joined_queues, reported_at, clock_millis, pool_open, pool_in_use, pool_waiting, waiting_seconds,
    listening_seconds, listening_to)
    ON readpast.presence TO readpast_send;
GRANT SELECT, INSERT, UPDATE (forget_at) ON readpast.duplicate_id TO readpast_send;
GRANT SELECT, INSERT ON readpast.client_id TO readpast_send;
GRANT SELECT, INSERT (token, refused) ON readpast.commit_marker TO readpast_send;
-- No DELETE on any table: to shut down cleanly, to mark what a dead JVM may have had in its hands, and to forget what is old.
GRANT EXECUTE ON FUNCTION
    readpast.mark_suspects(varchar),
    readpast.forget_consumed(varchar),
    readpast.remove_presence(varchar),
    readpast.release_client_ids(varchar),
    readpast.release_client_id(varchar, varchar),
    readpast.forget_duplicates(int),
    readpast.forget_markers(bigint, int)
    TO readpast_send;

-- Receive: also claim, acknowledge, redeliver, browse, expire, subscribe, take groups, write the history, and temporary destinations.
GRANT SELECT, INSERT, UPDATE, DELETE ON readpast.message, readpast.delayed_message TO readpast_receive;
GRANT SELECT, UPDATE, DELETE ON readpast.shared_body TO readpast_receive;
GRANT INSERT (owner), UPDATE (version), DELETE ON readpast.destination TO readpast_receive;
GRANT INSERT, DELETE ON readpast.subscription, readpast.subscription_consumer TO readpast_receive;
GRANT SELECT, INSERT, DELETE ON readpast.dropped_destination TO readpast_receive;
GRANT INSERT, UPDATE, DELETE ON readpast.message_group TO readpast_receive;
GRANT INSERT ON readpast.message_history TO readpast_receive;
GRANT SELECT, INSERT, UPDATE, DELETE ON readpast.consumed_destination, readpast.suspect_mark, readpast.suspect_delivery,
    readpast.unreadable_message TO readpast_receive;

-- Manage: also see messages with their text; make queues and repair by the functions below. No further right on a table, but to say that
-- a queue is moved to another database.
GRANT SELECT ON readpast.queue_overview, readpast.claimed_message, readpast.held_message, readpast.message_text,
    readpast.message_history, readpast.audit TO readpast_manage;

GRANT UPDATE (moved, moved_database) ON readpast.destination TO readpast_manage;

-- Observe: how full and how fast queues are, who works on what and what is held, without properties and bodies.
GRANT USAGE ON SCHEMA readpast TO readpast_observe;
GRANT SELECT ON readpast.schema_version, readpast.audit, readpast.queue_overview, readpast.claimed_message, readpast.held_message
    TO readpast_observe;
GRANT SELECT (destination_id, kind, name, paused, paused_at, moved, moved_database) ON readpast.destination TO readpast_observe;
GRANT SELECT ON readpast.throughput, readpast.queue_timing, readpast.consumer_timing, readpast.history_age,
    readpast.orphaned_message, readpast.queue_depth, readpast.locked_message, readpast.in_flight_message, readpast.lost_message,
    readpast.malformed_message
    TO readpast_observe, readpast_manage;
GRANT EXECUTE ON FUNCTION
    readpast.throughput_since(int),
    readpast.queue_timing_since(int),
    readpast.consumer_timing_since(int),
    readpast.messages_between(int, int),
    readpast.depth_of(int),
    readpast.first_messages(int),
    readpast.lock_holders(),
    readpast.lockers(xid)
    TO readpast_observe, readpast_manage;

-- The functions for programs in SQL. They run with the rights of their owner, so that a program that uses nothing else needs
-- none of these roles, but USAGE on the schema and EXECUTE on the functions it calls.
GRANT EXECUTE ON FUNCTION readpast.send(text, text, json, int, bigint, bigint, text, text, text, bytea) TO readpast_send;
GRANT EXECUTE ON FUNCTION
    readpast.receive_batch(text, int),
    readpast.claim(text, int, int, text),
    readpast.complete(uuid),
    readpast.fail(uuid, text),
    readpast.extend(uuid, int),
    readpast.purge_history(text, int)
    TO readpast_receive;
GRANT EXECUTE ON FUNCTION
    readpast.create_queue(text, int, text, text),
    readpast.pause(text, text, text),
    readpast.resume(text, text),
    readpast.mark_moved(text, text, text, text),
    readpast.move,
    readpast.copy,
    readpast.retry,
    readpast.expire,
    readpast.purge,
    readpast.hold,
    readpast.release,
    readpast.keep_history(text, int, int),
    readpast.drop_history(text)
    TO readpast_manage;
