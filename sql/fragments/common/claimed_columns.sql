-- A message behind destination_id, and whether it may have been in delivery when a JVM died.
/* include message_columns */ /* include short_body */,
       CASE WHEN EXISTS (
           SELECT 1 FROM readpast.suspect_mark AS s WHERE s.destination_id = m.destination_id AND s.up_to >= m.message_id)
           THEN 1 ELSE 0 END AS suspect
