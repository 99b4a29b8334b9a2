-- Whether this session still holds the lock that hold_presence took. The driver makes an idle connection anew without a word
-- (connectRetryCount), and the new session has none.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: none; looks for the application lock of the session.
DECLARE @resource nvarchar(255) = :resource;
SELECT CASE WHEN APPLOCK_MODE('public', @resource, 'Session') = N'NoLock' THEN 0 ELSE 1 END AS held
