-- What tells one life of the server from the next: its timeline, which a promotion changes, and when its statistics began, which is
-- anew after a crash. Ids of transactions that were lost in a crash, or to a promotion, may be given out again. Fails on a standby.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || ' ' || COALESCE(CAST(stats_reset AS text), '') AS life
FROM pg_stat_bgwriter
