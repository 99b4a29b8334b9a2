-- Which schema scripts have been run.
-- Parameters: none
-- Index: a scan of a small table.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].schema_version
SELECT version, script, applied_at
FROM [readpast].schema_version WITH (NOLOCK)
ORDER BY version
