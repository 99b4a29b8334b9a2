-- Deletes claimed messages, within a string: what is quoted in it is quoted twice. The driver takes a brace for an escape of JDBC, so
-- the keys are arrays.
DELETE m
FROM OPENJSON(@keys) WITH (d int ''$[0]'', p smallint ''$[1]'', i bigint ''$[2]'') AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
OPTION (KEEPFIXED PLAN);
IF @@ROWCOUNT <> @expected
    THROW 50001, N''Claimed messages are not there any more'', 1;
