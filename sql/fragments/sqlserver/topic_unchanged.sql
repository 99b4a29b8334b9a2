-- Leaves out all rows if the topic's version is no longer the one with which its subscriptions were read, or if its row, whose name
-- ends :jms_destination, is gone or is another's now.
WHERE EXISTS (
    SELECT 1 FROM [readpast].destination AS t WITH (READCOMMITTED)
    WHERE t.destination_id = :topic_id AND t.kind IN (N'T', N'TT')
      AND t.name = SUBSTRING(:jms_destination, CHARINDEX(N'://', :jms_destination) + 3, 400)
      AND t.version + (SELECT p.version FROM [readpast].destination AS p WITH (READCOMMITTED) WHERE p.destination_id = 0) = :version)
