-- The JVMs whose lock nobody holds; it is to be tried then.
-- Parameters: :resource (schema, what comes before each instance)
-- Index: a scan of a small table.
-- Locks: none; what is not committed is seen too. Asks whether the application lock of each could be had, and takes none.
DECLARE @resource nvarchar(255) = :resource;
SELECT instance FROM [readpast].presence WITH (NOLOCK)
WHERE APPLOCK_TEST('public', CONCAT(@resource, instance), 'Exclusive', 'Session') = 1
