-- How much of the transaction log is in use, how large its files may become, and what keeps it from being used again. Sizes of files are in
-- pages of 8 KiB; a largest size of -1 is none, and 0 that the file does not grow.
-- Parameters: none
-- Index: none.
-- Locks: those of reading the catalogue.
-- Rights: in master GRANT VIEW SERVER STATE (SQL Server 2022: VIEW SERVER PERFORMANCE STATE; Azure SQL: VIEW DATABASE STATE)
SELECT u.used_log_space_in_bytes AS used_bytes,
       (SELECT CASE WHEN MIN(CASE WHEN f.growth > 0 THEN f.max_size ELSE 0 END) >= 0
                    THEN 8192 * SUM(CAST(CASE WHEN f.growth > 0 AND f.max_size > f.size THEN f.max_size ELSE f.size END AS bigint)) END
        FROM sys.database_files AS f
        WHERE f.type_desc = N'LOG') AS most_bytes,
       (SELECT d.log_reuse_wait_desc FROM sys.databases AS d WHERE d.name = DB_NAME()) AS waits_for
FROM sys.dm_db_log_space_usage AS u
