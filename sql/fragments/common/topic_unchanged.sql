-- Leaves out all rows if the topic's version is no longer the one with which its subscriptions were read.
WHERE EXISTS (
    SELECT 1 FROM readpast.destination t
    WHERE t.destination_id = :topic_id
      AND t.version + (SELECT p.version FROM readpast.destination p WHERE p.destination_id = 0) = :version)
