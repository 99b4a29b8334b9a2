-- The id of a destination. The length is compared too, because SQL Server's comparison ignores trailing blanks.
-- Parameters: :kind, :name
-- Index: destination_name, one seek.
-- Locks: none that lasts.
SELECT destination_id
FROM [readpast].destination
WHERE kind = :kind AND name = :name AND name_bytes = DATALENGTH(:name)
