-- What readpast.clock_millis() counts from.
TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'
