-- One row if the schema has been installed: how its name is spelled.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: none.
SELECT 'readpast' AS spelled
FROM INFORMATION_SCHEMA.TABLES
WHERE UPPER(TABLE_SCHEMA) = UPPER('readpast') AND UPPER(TABLE_NAME) = 'SCHEMA_VERSION'
