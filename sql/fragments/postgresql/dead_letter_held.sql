-- Makes a message that is locked (held) a dead letter.
UPDATE readpast.message m
SET origin_id = m.destination_id /* include at_target */,
    properties = CASE WHEN CAST(:keep_properties AS int) = 1 THEN m.properties ELSE CAST(:properties AS json) END
FROM held h
WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
