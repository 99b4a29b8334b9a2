-- The tables of readpast-bridge, beside those of Readpast: docs/bridge.md. May be run twice. `readpast` is the schema's name: to use
-- another one, replace the word everywhere in this file.

-- One row for each link of a bridge. batch_number: of the last batch that was committed here. batch_record: ids of messages of which it
-- is not known yet that the other side is done with them.
CREATE TABLE IF NOT EXISTS readpast.bridge_link (
    link_name     varchar(400)  NOT NULL PRIMARY KEY,
    batch_number  bigint        NOT NULL,
    batch_record  varchar       NOT NULL
);

-- Requests that have crossed: under which id and from which, so that a reply's JMSCorrelationID is mapped back; the request's own
-- JMSCorrelationID and JMSReplyTo, where that is a temporary queue. made_at: milliseconds since 1970.
CREATE TABLE IF NOT EXISTS readpast.bridge_pair (
    bridge          varchar(100)  NOT NULL,
    new_id          varchar(255)  NOT NULL,
    old_id          varchar(255)  NOT NULL,
    correlation_id  varchar(255),
    reply_to        varchar(450),
    made_at         bigint        NOT NULL,
    PRIMARY KEY (bridge, new_id)
);

CREATE INDEX IF NOT EXISTS bridge_pair_correlation ON readpast.bridge_pair (bridge, correlation_id);

CREATE INDEX IF NOT EXISTS bridge_pair_age ON readpast.bridge_pair (bridge, made_at);
