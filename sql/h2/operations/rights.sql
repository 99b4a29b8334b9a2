-- What the login may do: read them with their properties and bodies. H2 has no procedures of repair.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT 0 AS may_repair,
       CASE WHEN EXISTS (SELECT 1 FROM INFORMATION_SCHEMA.TABLES
           WHERE UPPER(TABLE_SCHEMA) = UPPER('readpast') AND UPPER(TABLE_NAME) = 'MESSAGE') THEN 1 ELSE 0 END AS may_read
