-- Stores the body that copies of a message share, if the topic's version is still the one with which its subscriptions were read.
shared AS (
    INSERT INTO readpast.shared_body (body)
    SELECT CAST(:shared_body AS bytea)
    /* include topic_unchanged */
    RETURNING body_id)
