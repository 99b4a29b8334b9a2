-- Keys of messages, from JSON.
WITH (d int '$.d', p smallint '$.p', i bigint '$.i')
