-- Forgets duplicate ids that are due to be forgotten, the oldest first.
-- Parameters: :max
-- Index: duplicate_id_forget from its start.
-- Locks: the deleted rows; those that somebody is renewing are stepped over.
SELECT readpast.forget_duplicates(:max) AS removed
