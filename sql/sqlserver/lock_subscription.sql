-- Locks a subscription, if there is one of this name.
-- Parameters: :name
-- Index: destination_name, one seek; then the row by its key: to scan the table is the cheaper plan while it is small, and would wait for
--   whoever has created a queue and not committed it.
-- Locks: the row, until the transaction ends.
UPDATE [readpast].destination SET version = version + 1
WHERE destination_id = (
    SELECT s.destination_id
    FROM [readpast].destination AS s WITH (READCOMMITTEDLOCK, FORCESEEK (destination_name (kind)))
    WHERE s.kind = N'S' AND s.name = :name AND s.name_bytes = DATALENGTH(:name))
