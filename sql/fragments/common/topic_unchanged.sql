-- Leaves out all rows if the topic's version is no longer the one with which its subscriptions were read, or if its row, whose name
-- ends :jms_destination, is gone or is another's now.
WHERE EXISTS (
    SELECT 1 FROM readpast.destination t
    WHERE t.destination_id = :topic_id AND t.kind IN ('T', 'TT')
      AND t.name = SUBSTRING(:jms_destination FROM POSITION('://' IN :jms_destination) + 3)
      AND t.version + (SELECT p.version FROM readpast.destination p WHERE p.destination_id = 0) = :version)
