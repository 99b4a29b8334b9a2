-- The clock when the statement began.
SYSUTCDATETIME()
