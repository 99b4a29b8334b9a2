-- The tables of readpast-bridge, beside those of Readpast: docs/bridge.md. May be run twice. `readpast` is the schema's name: to use
-- another one, replace the word everywhere in this file.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
GO

-- One row for each link of a bridge. batch_number: of the last batch that was committed here. batch_record: ids of messages of which it
-- is not known yet that the other side is done with them.
IF OBJECT_ID(N'[readpast].bridge_link', N'U') IS NULL
    CREATE TABLE [readpast].bridge_link (
        link_name     nvarchar(400) COLLATE Latin1_General_100_BIN2  NOT NULL PRIMARY KEY,
        batch_number  bigint         NOT NULL,
        batch_record  nvarchar(max)  NOT NULL
    );
GO

-- Requests that have crossed: under which id and from which, so that a reply's JMSCorrelationID is mapped back; the request's own
-- JMSCorrelationID and JMSReplyTo, where that is a temporary queue. made_at: milliseconds since 1970.
IF OBJECT_ID(N'[readpast].bridge_pair', N'U') IS NULL
BEGIN
    CREATE TABLE [readpast].bridge_pair (
        bridge          nvarchar(100) COLLATE Latin1_General_100_BIN2  NOT NULL,
        new_id          nvarchar(255) COLLATE Latin1_General_100_BIN2  NOT NULL,
        old_id          nvarchar(255) COLLATE Latin1_General_100_BIN2  NOT NULL,
        correlation_id  nvarchar(255) COLLATE Latin1_General_100_BIN2 NULL,
        reply_to        nvarchar(450) COLLATE Latin1_General_100_BIN2 NULL,
        made_at         bigint         NOT NULL,
        PRIMARY KEY (bridge, new_id)
    );
    CREATE INDEX bridge_pair_correlation ON [readpast].bridge_pair (bridge, correlation_id);
    CREATE INDEX bridge_pair_age ON [readpast].bridge_pair (bridge, made_at);
END;
GO

-- The bridge sends and receives, and keeps its own tables. After roles.sql.
IF DATABASE_PRINCIPAL_ID(N'readpast_receive') IS NOT NULL
BEGIN
    GRANT SELECT, INSERT, UPDATE ON [readpast].bridge_link TO readpast_receive;
    GRANT SELECT, INSERT, DELETE ON [readpast].bridge_pair TO readpast_receive;
END;
GO
