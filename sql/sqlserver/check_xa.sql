-- Why there can be no XA: rows of a finding and the value that it is about. The driver calls extended procedures in master, which an
-- administrator installs, and which the role SqlJDBCXAUser may execute. Edition 5 is Azure SQL Database, which has no coordinator.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT N'XA_ON_AZURE' AS finding, CAST(SERVERPROPERTY('EngineEdition') AS nvarchar(400)) AS found
WHERE CAST(SERVERPROPERTY('EngineEdition') AS int) = 5
UNION ALL
SELECT N'XA_PROCEDURES', N'master..xp_sqljdbc_xa_start'
WHERE CAST(SERVERPROPERTY('EngineEdition') AS int) <> 5
  AND COALESCE(HAS_PERMS_BY_NAME(N'master..xp_sqljdbc_xa_start', N'OBJECT', N'EXECUTE'), 0) = 0
