-- One row if the schema has been installed.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: none.
SELECT 1
FROM INFORMATION_SCHEMA.TABLES
WHERE UPPER(TABLE_SCHEMA) = UPPER('readpast') AND UPPER(TABLE_NAME) = 'SCHEMA_VERSION'
