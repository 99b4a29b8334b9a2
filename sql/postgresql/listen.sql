-- Asks for the notifications that ring sends.
-- Parameters: none
-- Index: none.
-- Locks: none.
LISTEN readpast
