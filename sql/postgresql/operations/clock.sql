-- What time it is there.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT clock_timestamp() AS now, CAST(current_user AS varchar) AS login
