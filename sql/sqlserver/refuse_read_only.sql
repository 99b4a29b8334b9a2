-- Fails with 50019 in a database that takes no changes. A secondary replica that can be read ignores the hints of a claim and reads row
-- versions, so a claim would succeed there and lock nothing.
-- Parameters: none
-- Index: none.
-- Locks: none.
IF CAST(DATABASEPROPERTYEX(DB_NAME(), 'Updateability') AS nvarchar(128)) = N'READ_ONLY'
    THROW 50019, N'The database takes no changes: it is a secondary replica, or was set read-only', 1
