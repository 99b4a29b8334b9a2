-- Forgets a duplicate id; it is locked before with stale_duplicates.
-- Parameters: :destination_id, :duplicate_id
-- Index: primary key of readpast.duplicate_id, one seek.
-- Locks: the row, which is held already.
DELETE FROM readpast.duplicate_id WHERE destination_id = :destination_id AND duplicate_id = :duplicate_id
