-- Whether the database knows OPENJSON, which most statements use: fails with 208 below compatibility level 130.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT COUNT(*) AS elements FROM OPENJSON(N'[]')
