-- Whether this login may see what other users' sessions do.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CASE WHEN is_admin THEN 1 ELSE 0 END AS sees_all
FROM information_schema.users
WHERE user_name = CURRENT_USER
