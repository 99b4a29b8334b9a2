-- Whether deleted messages wait to be removed, for the start-up checks: rows of a finding and the value that it is about. Reading them
-- costs a look at pages, so tables beyond 160 MB are passed by. Needs VIEW DATABASE STATE.
-- Parameters: none
-- Index: a sample of the pages of message_key and delayed_message_key.
-- Locks: IS on the tables.
SELECT N'GHOSTS' AS finding,
       CONCAT(OBJECT_NAME(p.object_id), N': ', g.ghost_record_count + g.version_ghost_record_count, N' ghost records, ',
              p.row_count, N' rows') AS found
FROM sys.dm_db_partition_stats AS p
CROSS APPLY sys.dm_db_index_physical_stats(DB_ID(), p.object_id, p.index_id, p.partition_number, N'SAMPLED') AS g
WHERE p.object_id IN (OBJECT_ID(N'[readpast].message'), OBJECT_ID(N'[readpast].delayed_message'))
  AND p.index_id = 1
  AND p.in_row_used_page_count BETWEEN 100 AND 20000
  AND g.index_level = 0
  AND g.alloc_unit_type_desc = N'IN_ROW_DATA'
  AND g.ghost_record_count + g.version_ghost_record_count > 10000 + 5 * p.row_count
