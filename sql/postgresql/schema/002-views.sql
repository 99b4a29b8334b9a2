-- Version 2: what an administrator looks at.

-- One row for each destination: how many messages wait, since when the oldest does, how many are delayed, claimed by
-- workers or held by an administrator, and how many of its messages now lie elsewhere as dead letters. A subscription also says what it is, its topic or the
-- wildcards for several, and how many consumers are active.
-- Counts all of both message tables, whatever it is asked for: for a look now and then. For more, queue_depth stops counting at a bound.
CREATE VIEW readpast.queue_overview AS
SELECT d.destination_id,
       d.kind,
       d.name,
       coalesce(w.depth, 0)         AS depth,
       w.oldest_enqueued_at,
       coalesce(y.delayed, 0)       AS delayed,
       y.next_due_at,
       coalesce(y.claimed, 0)       AS claimed,
       coalesce(y.held, 0)          AS held,
       coalesce(o.dead_letters, 0)  AS dead_letters,
       coalesce(s.pattern, t.name)  AS topic,
       s.client_id,
       s.name                       AS subscription,
       s.durable,
       s.shared,
       s.selector,
       CASE WHEN s.name IS NULL AND s.destination_id IS NOT NULL THEN 1 ELSE coalesce(c.consumers, 0) END AS consumers
FROM readpast.destination d
LEFT JOIN (SELECT destination_id, count(*) AS depth, min(enqueued_at) AS oldest_enqueued_at
           FROM readpast.message GROUP BY destination_id) w ON w.destination_id = d.destination_id
LEFT JOIN (SELECT destination_id,
                  count(*) - count(claim_token) - count(held_at) AS delayed,
                  min(due_at) FILTER (WHERE claim_token IS NULL AND held_at IS NULL) AS next_due_at,
                  count(claim_token) AS claimed,
                  count(held_at) AS held
           FROM readpast.delayed_message GROUP BY destination_id) y ON y.destination_id = d.destination_id
LEFT JOIN (SELECT origin_id, count(*) AS dead_letters
           FROM readpast.message WHERE origin_id IS NOT NULL GROUP BY origin_id) o ON o.origin_id = d.destination_id
LEFT JOIN readpast.subscription s ON s.destination_id = d.destination_id
LEFT JOIN readpast.destination t ON t.destination_id = s.topic_id
LEFT JOIN (SELECT destination_id, count(*) AS consumers
           FROM readpast.subscription_consumer GROUP BY destination_id) c ON c.destination_id = d.destination_id
WHERE d.kind <> 'W';

-- The text of a body, null where its bytes are no text in UTF-8.
CREATE FUNCTION readpast.text_of(body bytea)
RETURNS text
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
    RETURN convert_from(body, 'UTF8');
EXCEPTION
    WHEN character_not_in_repertoire OR untranslatable_character THEN
        RETURN NULL;
END
$$;

-- Messages with their queue's name, and text bodies (text messages, and the JSON of map and stream messages) as text.
CREATE VIEW readpast.message_text AS
SELECT d.kind,
       d.name,
       m.destination_id,
       m.priority_order,
       m.message_id,
       m.jms_message_id,
       m.correlation_id,
       m.jms_type,
       m.enqueued_at,
       m.expires_at,
       m.delivery_count,
       m.properties,
       m.body_kind,
       m.body_length,
       CASE WHEN m.body_format = 2 THEN readpast.text_of(coalesce(m.body, b.body)) END AS body_text
FROM readpast.message m
JOIN readpast.destination d ON d.destination_id = m.destination_id
LEFT JOIN readpast.shared_body b ON b.body_id = m.body_id;

-- What workers have claimed through the functions and not completed, with the deadline of each lease. Past its deadline a message is
-- about to be put back.
CREATE VIEW readpast.claimed_message AS
SELECT d.kind,
       d.name,
       m.destination_id,
       m.message_id,
       m.jms_message_id,
       m.worker,
       m.delivery_count  AS attempt,
       m.claimed_at,
       m.due_at          AS deadline,
       m.claim_token
FROM readpast.delayed_message m
JOIN readpast.destination d ON d.destination_id = m.destination_id
WHERE m.claim_token IS NOT NULL;

-- Rows of both message tables that are no message, and what is wrong with them: written by hand, by a repair or a restore that went
-- wrong, or by somebody who means harm. A client that meets one counts a delivery, and after the last one puts it among the dead letters
-- as it is: reason, origin_id, deliveries and noted_at are of those. What only a program can tell, such as how deep JSON is, is in reason
-- alone. Reads both tables, and no body: for a look now and then.
CREATE VIEW readpast.malformed_message AS
SELECT d.kind,
       d.name,
       m.destination_id,
       m.priority_order,
       m.message_id,
       m.jms_message_id,
       m.problem,
       u.reason,
       u.origin_id,
       u.deliveries,
       u.noted_at
FROM (SELECT r.destination_id, r.priority_order, r.message_id, r.jms_message_id,
             CASE
                WHEN r.priority_order NOT BETWEEN 0 AND 9 THEN 'priority_order is ' || r.priority_order
                WHEN r.delivery_mode NOT IN (1, 2) THEN 'delivery_mode is ' || r.delivery_mode
                WHEN r.delivery_count < 0 THEN 'delivery_count is ' || r.delivery_count
                WHEN r.body_kind NOT BETWEEN 0 AND 5 THEN 'body_kind is ' || r.body_kind
                WHEN r.body_format NOT BETWEEN 0 AND 3 THEN 'body_format is ' || r.body_format
                WHEN r.body_format = 1 AND r.body_kind NOT IN (2, 5) OR r.body_format IN (2, 3) AND r.body_kind NOT IN (1, 3, 4)
                    THEN 'body_format is ' || r.body_format || ' where body_kind is ' || r.body_kind
                WHEN r.body_length NOT BETWEEN 0 AND 2147483647 THEN 'body_length is ' || r.body_length
                WHEN r.body_format = 0 AND (r.body_length > 0 OR r.inline_length IS NOT NULL)
                    THEN 'body_format is 0, which means no body, but there is one'
                WHEN r.body_format > 0 AND coalesce(r.inline_length, octet_length(b.body)) IS NULL THEN 'body is null'
                WHEN r.body_format > 0 AND r.body_length <> coalesce(r.inline_length, octet_length(b.body))
                    THEN 'body_length is ' || r.body_length || ', but the body has ' || coalesce(r.inline_length, octet_length(b.body)) || ' bytes'
                WHEN NOT (json_typeof(r.properties) = 'object') THEN 'properties is no JSON object'
             END AS problem
      FROM (SELECT destination_id, priority_order, message_id, jms_message_id, delivery_mode, delivery_count, properties, body_kind,
                   body_format, body_length, octet_length(body) AS inline_length, body_id
            FROM readpast.message
            UNION ALL
            SELECT destination_id, priority_order, message_id, jms_message_id, delivery_mode, delivery_count, properties, body_kind,
                   body_format, body_length, octet_length(body), body_id
            FROM readpast.delayed_message) r
      LEFT JOIN readpast.shared_body b ON b.body_id = r.body_id) m
JOIN readpast.destination d ON d.destination_id = m.destination_id
LEFT JOIN readpast.unreadable_message u
    ON u.destination_id = m.destination_id AND u.priority_order = m.priority_order AND u.message_id = m.message_id
WHERE m.problem IS NOT NULL OR u.message_id IS NOT NULL;

INSERT INTO readpast.schema_version (version, script) VALUES (2, '002-views.sql');
