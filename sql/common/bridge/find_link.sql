-- What a link of a bridge has stored.
-- Parameters: :link_name
-- Index: primary key of readpast.bridge_link, one seek.
-- Locks: none.
SELECT batch_number, batch_record
FROM readpast.bridge_link
WHERE link_name = :link_name
