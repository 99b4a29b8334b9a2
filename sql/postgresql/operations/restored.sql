-- Says that this database was restored, copied, or took over without the last commits: holds all messages.
-- Parameters: :claimed_user (null for nobody)
-- Index: see the function.
-- Locks: the rows, until the transaction ends; what others have locked is stepped over.
-- Rights: being the owner of the schema readpast
SELECT readpast.restored(claimed_user => :claimed_user) AS done
