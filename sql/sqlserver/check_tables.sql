-- What of the state of the message tables the start-up checks warn of: rows of a finding and the value that it is about. A page has
-- room for one row at least; large bodies are in pages of their own, which do not count. Needs VIEW DATABASE STATE.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT N'PAGES' AS finding,
       CONCAT(OBJECT_NAME(p.object_id), N': ', p.in_row_used_page_count, N' pages, ', p.row_count, N' rows') AS found
FROM sys.dm_db_partition_stats AS p
WHERE p.object_id IN (OBJECT_ID(N'[readpast].message'), OBJECT_ID(N'[readpast].delayed_message'))
  AND p.index_id = 1
  AND p.in_row_used_page_count > 1000 + p.row_count
