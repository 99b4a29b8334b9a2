-- How the session has proved who it is; null where the server did not ask. PostgreSQL 16 and later.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CAST(SYSTEM_USER AS varchar) AS method
