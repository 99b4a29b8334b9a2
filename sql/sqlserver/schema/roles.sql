-- Roles with the least rights for sending, receiving, managing and looking. Run by a db_owner, after the numbered scripts, and
-- again whenever one that drops and creates views has been run again (005 and 006), since their rights go with them; then add
-- each application's user to one of them: ALTER ROLE readpast_receive ADD MEMBER orders_app;
IF DATABASE_PRINCIPAL_ID(N'readpast_send') IS NULL
    EXECUTE (N'CREATE ROLE readpast_send');
IF DATABASE_PRINCIPAL_ID(N'readpast_receive') IS NULL
    EXECUTE (N'CREATE ROLE readpast_receive');
IF DATABASE_PRINCIPAL_ID(N'readpast_manage') IS NULL
    EXECUTE (N'CREATE ROLE readpast_manage');
IF DATABASE_PRINCIPAL_ID(N'readpast_observe') IS NULL
    EXECUTE (N'CREATE ROLE readpast_observe');
GO

-- Send: names of destinations, new messages with their duplicate ids, and this JVM's own registration. The sequence is drawn from by a default.
GRANT UPDATE ON [readpast].message_seq TO readpast_send;
GRANT SELECT ON [readpast].schema_version TO readpast_send;
GRANT SELECT ON [readpast].destination TO readpast_send;
GRANT INSERT ON [readpast].new_destination TO readpast_send;
GRANT SELECT ON [readpast].subscription TO readpast_send;
GRANT SELECT ON [readpast].subscription_consumer TO readpast_send;
GRANT SELECT ON [readpast].message_group TO readpast_send;
GRANT INSERT ON [readpast].new_message TO readpast_send;
GRANT INSERT ON [readpast].new_delayed_message TO readpast_send;
GRANT INSERT ON [readpast].shared_body TO readpast_send;
GRANT SELECT ON [readpast].shared_body (body_id) TO readpast_send;
GRANT SELECT ON [readpast].delayed_message (claim_token, worker) TO readpast_send;
GRANT SELECT, INSERT ON [readpast].presence TO readpast_send;
GRANT UPDATE ON [readpast].presence (missing_since, paused_queues, joined_queues, reported_at, clock_millis, pool_open, pool_in_use,
    pool_waiting, waiting_seconds, listening_seconds, listening_to) TO readpast_send;
GRANT SELECT, INSERT, DELETE ON [readpast].client_id TO readpast_send;
GRANT SELECT, INSERT, DELETE ON [readpast].duplicate_id TO readpast_send;
GRANT UPDATE ON [readpast].duplicate_id (forget_at) TO readpast_send;
GRANT SELECT, INSERT ON [readpast].commit_marker TO readpast_send;
GRANT SELECT, DELETE ON [readpast].removable_commit_marker TO readpast_send;
-- To shut down cleanly, and to mark what a dead JVM may have had in its hands.
GRANT SELECT, DELETE ON [readpast].removable_presence TO readpast_send;
GRANT SELECT, DELETE ON [readpast].removable_consumed_destination TO readpast_send;
GRANT SELECT ON [readpast].consumed_destination TO readpast_send;
GRANT SELECT ON [readpast].message (destination_id, priority_order, message_id) TO readpast_send;
GRANT INSERT ON [readpast].suspect_mark TO readpast_send;
GO

-- Receive: also claim, acknowledge, redeliver, browse, expire, subscribe, take groups, write the history, and temporary destinations.
ALTER ROLE readpast_send ADD MEMBER readpast_receive;
GRANT SELECT, INSERT, UPDATE, DELETE ON [readpast].message TO readpast_receive;
GRANT SELECT, INSERT, UPDATE, DELETE ON [readpast].delayed_message TO readpast_receive;
GRANT SELECT, DELETE ON [readpast].shared_body TO readpast_receive;
GRANT INSERT ON [readpast].new_owned_destination TO readpast_receive;
GRANT UPDATE (version), DELETE ON [readpast].destination TO readpast_receive;
GRANT INSERT, DELETE ON [readpast].subscription TO readpast_receive;
GRANT INSERT, DELETE ON [readpast].subscription_consumer TO readpast_receive;
GRANT SELECT, INSERT, DELETE ON [readpast].dropped_destination TO readpast_receive;
GRANT INSERT, UPDATE, DELETE ON [readpast].message_group TO readpast_receive;
GRANT INSERT ON [readpast].message_history TO readpast_receive;
GRANT SELECT, INSERT, UPDATE, DELETE ON [readpast].consumed_destination TO readpast_receive;
GRANT SELECT, INSERT, DELETE ON [readpast].suspect_mark TO readpast_receive;
GRANT SELECT, INSERT, UPDATE, DELETE ON [readpast].suspect_delivery TO readpast_receive;
GRANT SELECT, INSERT, UPDATE, DELETE ON [readpast].unreadable_message TO readpast_receive;
GO

-- Manage: also see messages with their text; make queues and repair by the procedures below. No further right on a table, but to say that
-- a queue is moved to another database.
ALTER ROLE readpast_receive ADD MEMBER readpast_manage;
GRANT SELECT ON [readpast].message_history TO readpast_manage;
GRANT SELECT ON [readpast].audit TO readpast_manage;
GRANT SELECT ON [readpast].queue_overview TO readpast_manage;
GRANT SELECT ON [readpast].claimed_message TO readpast_manage;
GRANT SELECT ON [readpast].held_message TO readpast_manage;
GRANT SELECT ON [readpast].message_text TO readpast_manage;
GRANT UPDATE ON [readpast].destination (moved, moved_database) TO readpast_manage;
GO

-- Observe: how full and how fast queues are, who works on what and what is held, without properties and bodies. locked_message and
-- in_flight_message also need VIEW SERVER STATE (Azure SQL: VIEW DATABASE STATE), which is the server's to give, and to see which index
-- a lock is on, VIEW DEFINITION, which shows no rows.
GRANT SELECT ON [readpast].schema_version TO readpast_observe;
GRANT SELECT ON [readpast].audit TO readpast_observe;
GRANT SELECT ON [readpast].destination (destination_id, kind, name, paused, paused_at, moved, moved_database) TO readpast_observe;
GRANT SELECT ON [readpast].queue_overview TO readpast_observe;
GRANT SELECT ON [readpast].claimed_message TO readpast_observe;
GRANT SELECT ON [readpast].held_message TO readpast_observe;
GRANT SELECT ON [readpast].throughput TO readpast_observe;
GRANT SELECT ON [readpast].throughput TO readpast_manage;
GRANT SELECT ON [readpast].history_age TO readpast_observe;
GRANT SELECT ON [readpast].history_age TO readpast_manage;
GRANT SELECT ON [readpast].orphaned_message TO readpast_observe;
GRANT SELECT ON [readpast].orphaned_message TO readpast_manage;
GRANT SELECT ON [readpast].queue_timing TO readpast_observe;
GRANT SELECT ON [readpast].queue_timing TO readpast_manage;
GRANT SELECT ON [readpast].consumer_timing TO readpast_observe;
GRANT SELECT ON [readpast].consumer_timing TO readpast_manage;
GRANT SELECT ON [readpast].queue_depth TO readpast_observe;
GRANT SELECT ON [readpast].queue_depth TO readpast_manage;
GRANT SELECT ON [readpast].locked_message TO readpast_observe;
GRANT SELECT ON [readpast].locked_message TO readpast_manage;
GRANT SELECT ON [readpast].in_flight_message TO readpast_observe;
GRANT SELECT ON [readpast].in_flight_message TO readpast_manage;
GRANT SELECT ON [readpast].lost_message TO readpast_observe;
GRANT SELECT ON [readpast].lost_message TO readpast_manage;
GRANT SELECT ON [readpast].malformed_message TO readpast_observe;
GRANT SELECT ON [readpast].malformed_message TO readpast_manage;
GO

-- A server without the management views may not know these rights, and does not need them.
IF OBJECT_ID(N'sys.dm_tran_locks') IS NOT NULL
    EXECUTE (N'
        GRANT VIEW DEFINITION ON [readpast].message TO readpast_observe;
        GRANT SELECT ON [readpast].throughput_since TO readpast_observe, readpast_manage;
        GRANT SELECT ON [readpast].queue_timing_since TO readpast_observe, readpast_manage;
        GRANT SELECT ON [readpast].consumer_timing_since TO readpast_observe, readpast_manage;');
GO

-- The procedures for programs in T-SQL. Their owner owns the tables too, so that a program that uses nothing else needs none of
-- these roles, but EXECUTE on the procedures it calls.
GRANT EXECUTE ON [readpast].send TO readpast_send;
GRANT EXECUTE ON [readpast].receive_batch TO readpast_receive;
GRANT EXECUTE ON [readpast].claim TO readpast_receive;
GRANT EXECUTE ON [readpast].complete TO readpast_receive;
GRANT EXECUTE ON [readpast].fail TO readpast_receive;
GRANT EXECUTE ON [readpast].extend TO readpast_receive;
GRANT EXECUTE ON [readpast].purge_history TO readpast_receive;
GRANT EXECUTE ON [readpast].move_due TO readpast_receive;
GRANT EXECUTE ON [readpast].create_queue TO readpast_manage;
GRANT EXECUTE ON [readpast].pause TO readpast_manage;
GRANT EXECUTE ON [readpast].resume TO readpast_manage;
GRANT EXECUTE ON [readpast].mark_moved TO readpast_manage;
GRANT EXECUTE ON [readpast].move TO readpast_manage;
GRANT EXECUTE ON [readpast].copy TO readpast_manage;
GRANT EXECUTE ON [readpast].retry TO readpast_manage;
GRANT EXECUTE ON [readpast].expire TO readpast_manage;
GRANT EXECUTE ON [readpast].purge TO readpast_manage;
GRANT EXECUTE ON [readpast].hold TO readpast_manage;
GRANT EXECUTE ON [readpast].release TO readpast_manage;
GRANT EXECUTE ON [readpast].keep_history TO readpast_manage;
GRANT EXECUTE ON [readpast].drop_history TO readpast_manage;
GO
