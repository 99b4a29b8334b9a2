-- Says that this database was restored, copied, or took over without the last commits: holds all messages.
-- Parameters: :claimed_user (null for nobody)
-- Index: see the procedure.
-- Locks: the rows, until the transaction ends; what others have locked is stepped over.
-- Rights: ALTER ROLE db_owner ADD MEMBER
DECLARE @done int;
EXECUTE @done = [readpast].restored @claimed_user = :claimed_user;
SELECT @done AS done
