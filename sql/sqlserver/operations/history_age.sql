-- Since when there is something in each history that is kept for some days.
-- Parameters: none
-- Index: the key of message_history, one seek for each destination.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].history_age
SELECT name, history_days, oldest_completed_at
FROM [readpast].history_age
WHERE oldest_completed_at IS NOT NULL
ORDER BY name
OPTION (MAXDOP 1)
