-- Removes a shared body that unused_bodies has listed.
-- Parameters: :body_id
-- Index: primary key of readpast.shared_body, one seek.
-- Locks: the row, which nobody else has a use for.
DELETE FROM readpast.shared_body WHERE body_id = :body_id
