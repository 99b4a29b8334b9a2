-- What the login may do: repair messages, and read them with their properties and bodies.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CASE WHEN EXISTS (
           SELECT 1 FROM pg_proc p
           WHERE p.pronamespace = CAST('readpast' AS regnamespace) AND p.proname = 'purge' AND has_function_privilege(p.oid, 'EXECUTE'))
           THEN 1 ELSE 0 END AS may_repair,
       CASE WHEN has_table_privilege('readpast.message', 'SELECT') THEN 1 ELSE 0 END AS may_read
