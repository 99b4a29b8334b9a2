-- The database's clock, which does not stand still within a transaction.
DATEADD('MILLISECOND', readpast.clock_millis(), /* include epoch */)
