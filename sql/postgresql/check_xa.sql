-- Why there can be no XA: rows of a finding and the value that it is about. Branches of distributed transactions are PostgreSQL's prepared
-- transactions.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT 'PREPARED_TRANSACTIONS' AS finding, setting AS found
FROM pg_settings
WHERE name = 'max_prepared_transactions' AND setting = '0'
