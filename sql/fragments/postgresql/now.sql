-- The clock when the statement began.
statement_timestamp()
