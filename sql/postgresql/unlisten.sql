-- Ends what listen began, before the connection goes back to a pool of the application's.
-- Parameters: none
-- Index: none.
-- Locks: none.
UNLISTEN readpast
