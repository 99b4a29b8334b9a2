-- What of the database's settings the start-up checks warn of: rows of a finding and the value that it is about.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT DISTINCT 'DELAYED_WRITES' AS finding, s.setting_value || ' ms' AS found
FROM information_schema.settings s
WHERE s.setting_name = 'WRITE_DELAY' AND s.setting_value <> '0'
  AND EXISTS (SELECT 1 FROM information_schema.settings f WHERE f.setting_name = 'info.FILE_WRITE')
