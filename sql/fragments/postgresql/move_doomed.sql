-- Moves expired messages that are locked (doomed).
UPDATE readpast.message m
SET origin_id = m.destination_id /* include at_target */
FROM doomed h
WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
