-- A delivery of a suspect message ends: nothing of it is counted in advance any more.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key of readpast.suspect_delivery, one seek.
-- Locks: the row.
DELETE FROM readpast.suspect_delivery
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
