-- Version 1: destinations, subscriptions, messages, delayed messages, and who is connected.
-- Run by a user who may create the schema, with sqlcmd or anything that knows GO. `readpast` is the schema's name: to use
-- another one, replace the word everywhere in this file.

-- Whatever the tool's own are: filtered indexes and computed columns need them.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
GO

-- Whoever runs this owns nothing of it, so that he can be dropped, and procedures of dbo's may go to these tables for who has no right on them.
IF SCHEMA_ID(N'readpast') IS NULL
    EXECUTE (N'CREATE SCHEMA [readpast] AUTHORIZATION dbo');
GO

-- Which of the numbered scripts have been run. oldest_client: the oldest version that a JMS client may need and still use the schema
-- as the script has left it; null if that is the script's own. A script that only adds names an older one.
-- newest_kind, newest_format: the highest body_kind and body_format that it has brought, null for none: an older JMS client leaves
-- messages with these to newer ones. What is higher still is no message.
CREATE TABLE [readpast].schema_version (
    version        int           NOT NULL PRIMARY KEY,
    script         nvarchar(100) NOT NULL,
    applied_at     datetime2(3)  NOT NULL DEFAULT SYSUTCDATETIME(),
    oldest_client  int           NULL,
    newest_kind    smallint      NULL,
    newest_format  smallint      NULL
);
GO

-- Queues, topics and subscriptions. kind: Q queue, T topic, TQ and TT temporary ones, S subscription; W for row 0 alone, whose
-- version stands for all subscriptions with wildcards.
-- A temporary destination has an owner, presence.instance, and goes with it; so does a subscription that only its consumer can
-- have. version: of a topic, raised by each change of its subscriptions, so that a publisher notices one that it missed.
-- maximum_attempts and dead_letter_queue: of a queue, what becomes of messages that are claimed again and again through the
-- procedures; null for 10 and DLQ.
-- history: 1 where what became of this queue's messages is kept in message_history, for history_days and up to history_rows rows,
-- null for no limit.
-- paused: of a queue, what is held back since paused_at: receive, send or both, null for nothing ([readpast].pause).
-- moved: of a queue that is moved to another database, or was: 'away' in the place that it leaves, while what is there is drained, 'gone' once
-- nothing is, and 'here' in the place that it comes to, until then; null for any other. Nothing can be sent to where it is away or gone.
-- moved_database: what routes call the other one.
CREATE TABLE [readpast].destination (
    destination_id     int           NOT NULL IDENTITY(1, 1),
    kind               nvarchar(2)   NOT NULL,
    name               nvarchar(400) COLLATE Latin1_General_100_BIN2  NOT NULL,
    owner              nvarchar(64) NULL,
    version            bigint        NOT NULL DEFAULT 0,
    maximum_attempts   int NULL,
    dead_letter_queue  nvarchar(400) COLLATE Latin1_General_100_BIN2 NULL,
    history            smallint      NOT NULL DEFAULT 0,
    history_days       int NULL,
    history_rows       int NULL,
    paused             nvarchar(7) COLLATE Latin1_General_100_BIN2 NULL,
    paused_at          datetime2(3) NULL,
    moved              nvarchar(4) COLLATE Latin1_General_100_BIN2 NULL,
    moved_database     nvarchar(64) COLLATE Latin1_General_100_BIN2 NULL,
    created_at         datetime2(3)   NOT NULL DEFAULT SYSUTCDATETIME(),
    -- Comparisons ignore trailing blanks, so names that differ in those alone differ in this.
    name_bytes         AS DATALENGTH(name) PERSISTED NOT NULL,
    CONSTRAINT destination_key PRIMARY KEY CLUSTERED (destination_id) WITH (ALLOW_PAGE_LOCKS = OFF),
    CONSTRAINT destination_name UNIQUE (kind, name, name_bytes),
    CONSTRAINT destination_paused_what CHECK (paused IN (N'receive', N'send', N'both')),
    CONSTRAINT destination_moved_what CHECK (moved IN (N'away', N'gone', N'here'))
);
GO

-- As a text, which is compiled only where it is run: install.sql has this batch compiled while it leaves it out.
EXECUTE (N'
    SET IDENTITY_INSERT [readpast].destination ON;
    INSERT INTO [readpast].destination (destination_id, kind, name) VALUES (0, N''W'', N''>'');
    SET IDENTITY_INSERT [readpast].destination OFF;');
GO

CREATE INDEX destination_owner ON [readpast].destination (owner) WHERE owner IS NOT NULL;
GO

-- These have all that is asked of them: a look from an index at the row would meet who goes the other way, in a deadlock.
CREATE INDEX destination_history ON [readpast].destination (destination_id) INCLUDE (kind) WHERE history = 1;
GO

CREATE INDEX destination_paused ON [readpast].destination (destination_id) INCLUDE (kind, paused) WHERE paused IS NOT NULL;
GO

CREATE INDEX destination_moved ON [readpast].destination (destination_id) INCLUDE (kind, moved, moved_database, name)
    WHERE moved IS NOT NULL;
GO

-- One sequence for both message tables, so that a row keeps its place when it moves between them.
CREATE SEQUENCE [readpast].message_seq AS bigint START WITH 1 INCREMENT BY 1 CACHE 1000;
GO

-- One row is one message for one consumer group. The key order is the order of delivery. Its body stands in it, or in
-- shared_body where body_id is set.
-- Its statistics are not updated by themselves, here and in the other tables that fill and empty all the time: they would be out of date
-- after some hundred messages, and each update, and the compiling of statements behind it, would be waited for. No plan needs them,
-- since statements name their index (STATISTICS_NORECOMPUTE: CREATE INDEX, index_option of CREATE TABLE).
-- body_format: 0 no body, 1 bytes, 3 text in UTF-16LE, which CAST(body AS nvarchar(max)) reads.
-- jms_timestamp, jms_expiration and jms_delivery_time are the sender's, in milliseconds since 1970; enqueued_at and
-- expires_at are by the clock of the database, which alone decides. origin_id is set on dead letters: where they came from.
CREATE TABLE [readpast].message (
    destination_id     int           NOT NULL,
    priority_order     smallint      NOT NULL,
    message_id         bigint        NOT NULL DEFAULT NEXT VALUE FOR [readpast].message_seq,
    jms_message_id     nvarchar(255) NULL,
    jms_destination    nvarchar(450)  NOT NULL,
    reply_to           nvarchar(450) NULL,
    correlation_id     nvarchar(255) COLLATE Latin1_General_100_BIN2 NULL,
    jms_type           nvarchar(255) NULL,
    delivery_mode      smallint      NOT NULL,
    jms_timestamp      bigint        NOT NULL,
    jms_expiration     bigint        NOT NULL,
    jms_delivery_time  bigint        NOT NULL,
    group_id           nvarchar(255) COLLATE Latin1_General_100_BIN2 NULL,
    properties         nvarchar(max) NULL,
    body_kind          smallint      NOT NULL,
    body_format        smallint      NOT NULL,
    body_length        bigint        NOT NULL,
    body               varbinary(max) NULL,
    body_id            bigint NULL,
    enqueued_at        datetime2(3)   NOT NULL DEFAULT SYSUTCDATETIME(),
    expires_at         datetime2(3) NULL,
    origin_id          int NULL,
    delivery_count     int           NOT NULL DEFAULT 0,
    CONSTRAINT message_key PRIMARY KEY CLUSTERED (destination_id, priority_order, message_id)
        WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON)
);
GO

-- READPAST steps over row locks only: no page locks, and no escalation to a lock on the table.
ALTER TABLE [readpast].message SET (LOCK_ESCALATION = DISABLE);
GO

-- Request and reply wait with JMSCorrelationID = '...'.
CREATE INDEX message_correlation
    ON [readpast].message (destination_id, correlation_id, priority_order, message_id)
    WHERE correlation_id IS NOT NULL
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- What the sweeper looks for.
CREATE INDEX message_expiry ON [readpast].message (expires_at)
    WHERE expires_at IS NOT NULL
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- Which messages refer to a shared body.
CREATE INDEX message_body ON [readpast].message (body_id)
    WHERE body_id IS NOT NULL
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- Whether messages of a group wait.
CREATE INDEX message_members ON [readpast].message (group_id, destination_id)
    WHERE group_id IS NOT NULL
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- Messages that are not due yet, so that a claim never steps over them. Also those that a worker has claimed through the
-- procedures, or a JMS consumer by lease: due_at is then the end of the lease, and worker the instance of the consumer's JVM.
-- Also those that an administrator holds: they have a held_at, their due_at is in the year 9999, and the one that they had is their
-- held_due_at.
CREATE TABLE [readpast].delayed_message (
    due_at             datetime2(3)   NOT NULL,
    message_id         bigint        NOT NULL DEFAULT NEXT VALUE FOR [readpast].message_seq,
    destination_id     int           NOT NULL,
    priority_order     smallint      NOT NULL,
    jms_message_id     nvarchar(255) NULL,
    jms_destination    nvarchar(450)  NOT NULL,
    reply_to           nvarchar(450) NULL,
    correlation_id     nvarchar(255) COLLATE Latin1_General_100_BIN2 NULL,
    jms_type           nvarchar(255) NULL,
    delivery_mode      smallint      NOT NULL,
    jms_timestamp      bigint        NOT NULL,
    jms_expiration     bigint        NOT NULL,
    jms_delivery_time  bigint        NOT NULL,
    group_id           nvarchar(255) COLLATE Latin1_General_100_BIN2 NULL,
    properties         nvarchar(max) NULL,
    body_kind          smallint      NOT NULL,
    body_format        smallint      NOT NULL,
    body_length        bigint        NOT NULL,
    body               varbinary(max) NULL,
    body_id            bigint NULL,
    enqueued_at        datetime2(3)   NOT NULL DEFAULT SYSUTCDATETIME(),
    expires_at         datetime2(3) NULL,
    origin_id          int NULL,
    delivery_count     int           NOT NULL DEFAULT 0,
    claim_token        uniqueidentifier NULL,
    worker             nvarchar(255) NULL,
    claimed_at         datetime2(3) NULL,
    held_at            datetime2(3) NULL,
    held_due_at        datetime2(3) NULL,
    CONSTRAINT delayed_message_key PRIMARY KEY CLUSTERED (due_at, message_id)
        WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON)
);
GO

ALTER TABLE [readpast].delayed_message SET (LOCK_ESCALATION = DISABLE);
GO

CREATE INDEX delayed_message_body ON [readpast].delayed_message (body_id)
    WHERE body_id IS NOT NULL
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- Bodies that several subscriptions have a copy of: stored once, and removed by housekeeping when no message refers to them
-- any more.
CREATE TABLE [readpast].shared_body (
    body_id  bigint          NOT NULL IDENTITY(1, 1),
    body     varbinary(max)  NOT NULL,
    CONSTRAINT shared_body_key PRIMARY KEY CLUSTERED (body_id)
        WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON)
);
GO

ALTER TABLE [readpast].shared_body SET (LOCK_ESCALATION = DISABLE);
GO

-- The ids without the bodies, which stand beside them in the table up to 8,000 bytes: housekeeping looks at many of them.
CREATE UNIQUE INDEX shared_body_id ON [readpast].shared_body (body_id)
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- One row for each connected JVM, which also holds a session lock: a row whose lock is free belongs to a dead one.
-- addresses, port, secret: where it hears datagrams of others, up to four literal addresses with commas between them, and what such
-- datagrams are signed with; null where it hears none. Written with the row, and never changed.
-- provider_version, schema_version: its release, and the version of the schema that this was made for.
-- paused_queues: the pauses that it keeps to, such as 12:receive 15:both, by destination_id; null while it knows of none.
-- joined_queues: the queues that it has sent to within transactions of the application's, which cannot turn where a queue is moved to another
-- database, such as 12 15, by destination_id; told with what follows; null for none.
-- reported_at to listening_to: what it tells of itself, every ten seconds while that changes and every minute else; null before that. By the
-- database's clock and by its own; its own pool of SQL connections, null with a DataSource; for how long threads have waited there at each
-- report; and for how long, and with a message of which destination, the listener that has been at work longest.
CREATE TABLE [readpast].presence (
    instance       nvarchar(64)   NOT NULL PRIMARY KEY,
    host           nvarchar(255) NULL,
    process        nvarchar(255) NULL,
    addresses      nvarchar(200) NULL,
    port           int NULL,
    secret         nvarchar(64) NULL,
    provider_version  nvarchar(40) NULL,
    schema_version    int NULL,
    paused_queues     nvarchar(max) NULL,
    joined_queues     nvarchar(max) NULL,
    started_at     datetime2(3)   NOT NULL DEFAULT SYSUTCDATETIME(),
    missing_since  datetime2(3) NULL,
    reported_at          datetime2(3) NULL,
    clock_millis         bigint NULL,
    pool_open            int NULL,
    pool_in_use          int NULL,
    pool_waiting         int NULL,
    waiting_seconds      int NULL,
    listening_seconds    int NULL,
    listening_to         nvarchar(450) NULL,
    CONSTRAINT presence_instance CHECK (instance LIKE N'________-____-____-____-____________')
);
GO

-- Client ids in use.
CREATE TABLE [readpast].client_id (
    client_id  nvarchar(255) COLLATE Latin1_General_100_BIN2  NOT NULL PRIMARY KEY,
    instance   nvarchar(64)   NOT NULL
);
GO

CREATE INDEX client_id_instance ON [readpast].client_id (instance);
GO

-- Subscriptions of topics. Their messages wait under destination_id; the destination's name says who may share it.
-- pattern: for one with wildcards, whose topic_id is 0: what the names of its topics match.
-- origin: whose messages are left out (noLocal), a client id or a connection; null for nobody's.
CREATE TABLE [readpast].subscription (
    destination_id  int           NOT NULL PRIMARY KEY,
    topic_id        int           NOT NULL,
    pattern         nvarchar(400) COLLATE Latin1_General_100_BIN2 NULL,
    client_id       nvarchar(255) COLLATE Latin1_General_100_BIN2 NULL,
    name            nvarchar(400) COLLATE Latin1_General_100_BIN2 NULL,
    durable         smallint      NOT NULL,
    shared          smallint      NOT NULL,
    origin          nvarchar(400) COLLATE Latin1_General_100_BIN2 NULL,
    selector        nvarchar(max) NULL
);
GO

CREATE INDEX subscription_topic ON [readpast].subscription (topic_id);
GO

-- The active consumers of subscriptions with a name.
CREATE TABLE [readpast].subscription_consumer (
    destination_id  int           NOT NULL,
    consumer        nvarchar(64)   NOT NULL,
    instance        nvarchar(64)   NOT NULL,
    PRIMARY KEY (destination_id, consumer)
);
GO

CREATE INDEX subscription_consumer_instance ON [readpast].subscription_consumer (instance);
GO

-- Temporary destinations and subscriptions that were removed: a transaction that began before may still commit messages for
-- them, which are then swept.
CREATE TABLE [readpast].dropped_destination (
    destination_id  int           NOT NULL,
    dropped_at      datetime2(3)   NOT NULL DEFAULT SYSUTCDATETIME(),
    CONSTRAINT dropped_destination_key PRIMARY KEY CLUSTERED (destination_id) WITH (ALLOW_PAGE_LOCKS = OFF)
);
GO

-- What is due in one queue.
CREATE INDEX delayed_message_destination ON [readpast].delayed_message (destination_id, due_at, message_id)
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- What a worker's claim token finds: the key, and the queue; and all claims of one worker.
CREATE UNIQUE INDEX delayed_message_claim ON [readpast].delayed_message (claim_token)
    INCLUDE (destination_id, worker)
    WHERE claim_token IS NOT NULL
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- The duplicate ids of messages, by the queue or topic they were sent to: until forget_at, by the clock of the database, a second
-- message with the same id is dropped. An id that this column cannot hold exactly stands here as sha256: and its hash.
CREATE TABLE [readpast].duplicate_id (
    destination_id  int           NOT NULL,
    duplicate_id    nvarchar(255) COLLATE Latin1_General_100_BIN2  NOT NULL,
    forget_at       datetime2(3)   NOT NULL,
    CONSTRAINT duplicate_id_key PRIMARY KEY CLUSTERED (destination_id, duplicate_id)
        WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON)
);
GO

ALTER TABLE [readpast].duplicate_id SET (LOCK_ESCALATION = DISABLE);
GO

-- What housekeeping looks for.
CREATE INDEX duplicate_id_forget ON [readpast].duplicate_id (forget_at)
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- Transactions that asked for a trace of their commit (verifyCommit): a row is there if and only if its transaction committed.
-- refused: written by whoever looked and found none, so that the commit cannot be carried out any more. Removed by housekeeping.
CREATE TABLE [readpast].commit_marker (
    token         uniqueidentifier  NOT NULL,
    refused       bit               NOT NULL,
    committed_at  datetime2(3)      NOT NULL DEFAULT SYSUTCDATETIME(),
    CONSTRAINT commit_marker_key PRIMARY KEY NONCLUSTERED (token)
        WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON)
);
GO

ALTER TABLE [readpast].commit_marker SET (LOCK_ESCALATION = DISABLE);
GO

-- In the order in which they come and go, which a random token is not.
CREATE CLUSTERED INDEX commit_marker_age ON [readpast].commit_marker (committed_at)
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

CREATE INDEX delayed_message_members ON [readpast].delayed_message (group_id, destination_id)
    WHERE group_id IS NOT NULL
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- Which consumer gets the messages of a group (JMSXGroupID) now; the group '' of an exclusive queue is all its messages. Whoever
-- works with messages of a group has its row locked until the transaction ends, and nobody takes it away meanwhile.
CREATE TABLE [readpast].message_group (
    destination_id  int            NOT NULL,
    group_id        nvarchar(255) COLLATE Latin1_General_100_BIN2  NOT NULL,
    consumer        nvarchar(64)   NOT NULL,
    instance        nvarchar(64)   NOT NULL,
    taken_at        datetime2(3)   NOT NULL DEFAULT SYSUTCDATETIME(),
    CONSTRAINT message_group_key PRIMARY KEY CLUSTERED (destination_id, group_id)
        WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON)
);
GO

ALTER TABLE [readpast].message_group SET (LOCK_ESCALATION = DISABLE);
GO

CREATE INDEX message_group_consumer ON [readpast].message_group (instance, consumer)
    WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON);
GO

-- What became of messages of queues with a history (destination.history = 1), a row for each: written by the statement that removes
-- the message, at completed_at, by the clock of the database. One queue's rows by age are one stretch of the key.
-- enqueued_at: when it was sent. claimed_at: null where nobody claimed it or the time is not known. consumer: who had it, the client
-- id or the JVM's presence.instance for JMS, the worker or the login for SQL. outcome: completed, dead letter, expired or purged.
-- body is null where the body was shared.
CREATE TABLE [readpast].message_history (
    history_id      bigint         NOT NULL IDENTITY(1, 1),
    completed_at    datetime2(3)   NOT NULL DEFAULT SYSUTCDATETIME(),
    destination_id  int            NOT NULL,
    message_id      bigint         NOT NULL,
    priority_order  smallint       NOT NULL,
    jms_message_id  nvarchar(255) NULL,
    correlation_id  nvarchar(255) COLLATE Latin1_General_100_BIN2 NULL,
    jms_type        nvarchar(255) NULL,
    reply_to        nvarchar(450) NULL,
    group_id        nvarchar(255) COLLATE Latin1_General_100_BIN2 NULL,
    properties      nvarchar(max) NULL,
    body_kind       smallint       NOT NULL,
    body_format     smallint       NOT NULL,
    body_length     bigint         NOT NULL,
    body            varbinary(max) NULL,
    delivery_count  int            NOT NULL,
    enqueued_at     datetime2(3)   NOT NULL,
    claimed_at      datetime2(3) NULL,
    consumer        nvarchar(255) NULL,
    outcome         nvarchar(20)   NOT NULL,
    CONSTRAINT message_history_key PRIMARY KEY CLUSTERED (destination_id, completed_at, history_id)
        WITH (ALLOW_PAGE_LOCKS = OFF)
);
GO

ALTER TABLE [readpast].message_history SET (LOCK_ESCALATION = DISABLE);
GO

-- What an administrator did to messages (005-repair.sql), a row for each transaction in which it did something, and written in that. login:
-- who called, whatever he had become by then. claimed_user: who it was for, as the caller says; nobody has checked it. queue: the queue
-- or subscription; null for all of them (restored). No role may insert, change or delete: what is old is a DBA's to remove.
CREATE TABLE [readpast].audit (
    audit_id      bigint         NOT NULL IDENTITY(1, 1) PRIMARY KEY,
    done_at       datetime2(3)   NOT NULL DEFAULT SYSUTCDATETIME(),
    login         nvarchar(128)  NOT NULL,
    claimed_user  nvarchar(128) NULL,
    action        nvarchar(10)   NOT NULL,
    queue         nvarchar(400) NULL,
    target        nvarchar(400) NULL,
    messages      int            NOT NULL
);
GO

-- Which destinations a JVM (presence.instance) has consumed from. It dies: what waits there becomes suspect.
-- open_consumers to selector: how many consumers it has there now, how many of these are of connections that are not started, how many have
-- a selector, and one of these; null until it has told. by_lease: 1 where all of them claim by lease, and nothing becomes
-- suspect.
CREATE TABLE [readpast].consumed_destination (
    instance        nvarchar(64)  NOT NULL,
    destination_id  int           NOT NULL,
    by_lease        smallint      NOT NULL DEFAULT 0,
    open_consumers       int NULL,
    stopped_consumers    int NULL,
    selective_consumers  int NULL,
    selector             nvarchar(400) NULL,
    CONSTRAINT consumed_destination_key PRIMARY KEY CLUSTERED (instance, destination_id)
        WITH (ALLOW_PAGE_LOCKS = OFF)
);
GO

-- A JVM (instance) has died that consumed from a destination: the messages there up to this id are suspect, one of them may have killed
-- it. Empty while no JVM dies. Each claim looks here for each message.
CREATE TABLE [readpast].suspect_mark (
    destination_id  int           NOT NULL,
    up_to           bigint        NOT NULL,
    instance        nvarchar(64)  NOT NULL,
    marked_at       datetime2(3)  NOT NULL DEFAULT SYSUTCDATETIME(),
    CONSTRAINT suspect_mark_key PRIMARY KEY CLUSTERED (destination_id, up_to, instance)
        WITH (ALLOW_PAGE_LOCKS = OFF)
);
GO

-- Deliveries of suspect messages that were counted as they began, since a JVM that dies writes nothing, and that have not ended. More
-- than one: the others ended with the JVM. Empty while no JVM dies.
CREATE TABLE [readpast].suspect_delivery (
    destination_id  int           NOT NULL,
    priority_order  smallint      NOT NULL,
    message_id      bigint        NOT NULL,
    deliveries      int           NOT NULL,
    CONSTRAINT suspect_delivery_key PRIMARY KEY CLUSTERED (destination_id, priority_order, message_id)
        WITH (ALLOW_PAGE_LOCKS = OFF)
);
GO

ALTER TABLE [readpast].suspect_delivery SET (LOCK_ESCALATION = DISABLE);
GO

-- Dead letters whose rows cannot be read, and stay as they are: why not, where they came from (origin_id), and after how many deliveries.
-- Empty while all rows are messages. malformed_message shows more.
CREATE TABLE [readpast].unreadable_message (
    destination_id  int           NOT NULL,
    priority_order  smallint      NOT NULL,
    message_id      bigint        NOT NULL,
    origin_id       int           NOT NULL,
    reason          nvarchar(400) NOT NULL,
    deliveries      int           NOT NULL,
    noted_at        datetime2(3)  NOT NULL DEFAULT SYSUTCDATETIME(),
    CONSTRAINT unreadable_message_key PRIMARY KEY CLUSTERED (destination_id, priority_order, message_id)
        WITH (ALLOW_PAGE_LOCKS = OFF)
);
GO

ALTER TABLE [readpast].unreadable_message SET (LOCK_ESCALATION = DISABLE);
GO

-- Recorded where all of it is there: sqlcmd without -b goes on behind an error.
IF NOT EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 1)
BEGIN
    IF (SELECT COUNT(*) FROM sys.tables
        WHERE schema_id = SCHEMA_ID(N'readpast') AND name IN (
            N'schema_version', N'destination', N'message', N'delayed_message', N'shared_body', N'presence', N'client_id',
            N'subscription', N'subscription_consumer', N'dropped_destination', N'duplicate_id', N'commit_marker',
            N'message_group', N'message_history', N'audit', N'consumed_destination', N'suspect_mark', N'suspect_delivery',
            N'unreadable_message')) < 19
       OR (SELECT COUNT(*) FROM sys.indexes AS i
           JOIN sys.tables AS t ON t.object_id = i.object_id
           WHERE t.schema_id = SCHEMA_ID(N'readpast') AND i.index_id > 0) < 39
       OR NOT EXISTS (SELECT 1 FROM [readpast].destination WHERE destination_id = 0)
        THROW 50013, N'001-tables.sql is not complete: mend what the errors above say, and run it again', 1;
    INSERT INTO [readpast].schema_version (version, script, newest_kind, newest_format) VALUES (1, N'001-tables.sql', 5, 3);
END;
GO
