-- What keeps VACUUM from removing dead rows beside open transactions: prepared transactions, and replication slots that nobody uses, of physical
-- replication with hot_standby_feedback: catalog_xmin, which a logical one has, keeps rows of the catalogue alone.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT 'prepared transaction' AS kind, CAST(gid AS varchar) AS name, prepared AS since
FROM pg_prepared_xacts
WHERE database = current_database()
UNION ALL
SELECT 'replication slot', CAST(slot_name AS varchar), NULL
FROM pg_replication_slots
WHERE NOT active AND xmin IS NOT NULL
