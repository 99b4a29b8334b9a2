-- Which cluster of databases this is, by a number that a standby shares with its primary. Advisory locks are seen within one only,
-- whatever tables a distributed database shows on several.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CAST(system_identifier AS text) AS cluster FROM pg_control_system()
