package org.readpast.jms.tck.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Babelfish casts between nvarchar and varbinary by Windows-1252, SQL Server by UTF-16LE (its documentation on CAST and CONVERT).
 * So on Babelfish the two functions that cast are replaced by ones that do there what the cast does on SQL Server.
 */
final class BabelfishText {

    private static final String TEXT_TO_BODY = """
            CREATE FUNCTION [readpast].text_to_body (@text nvarchar(max)) RETURNS varbinary(max)
            AS
            BEGIN
                DECLARE @hex varchar(max), @digits varchar(16), @i int, @code int, @unit int;
                IF @text IS NULL
                    RETURN NULL;
                SET @digits = '0123456789abcdef';
                SET @hex = '';
                SET @i = 1;
                WHILE @i < LEN(@text + N'.')
                BEGIN
                    SET @code = UNICODE(SUBSTRING(@text, @i, 1));
                    WHILE @code >= 0
                    BEGIN
                        SET @unit = CASE WHEN @code > 65535 THEN 55296 + (@code - 65536) / 1024 ELSE @code END;
                        SET @hex = @hex
                            + SUBSTRING(@digits, @unit / 16 % 16 + 1, 1) + SUBSTRING(@digits, @unit % 16 + 1, 1)
                            + SUBSTRING(@digits, @unit / 4096 + 1, 1) + SUBSTRING(@digits, @unit / 256 % 16 + 1, 1);
                        SET @code = CASE WHEN @code > 65535 THEN 56320 + (@code - 65536) % 1024 ELSE -1 END;
                    END;
                    SET @i = @i + 1;
                END;
                RETURN decode(@hex, 'hex');
            END
            """;

    private static final String BODY_TO_TEXT = """
            CREATE FUNCTION [readpast].body_to_text (@body varbinary(max), @body_format smallint) RETURNS nvarchar(max)
            AS
            BEGIN
                DECLARE @text nvarchar(max), @i int, @unit int, @high int;
                IF @body IS NULL OR @body_format <> 3
                    RETURN NULL;
                SET @text = N'';
                SET @i = 1;
                WHILE @i < DATALENGTH(@body)
                BEGIN
                    SET @unit = CAST(SUBSTRING(@body, @i, 1) AS int) + 256 * CAST(SUBSTRING(@body, @i + 1, 1) AS int);
                    IF @unit BETWEEN 55296 AND 56319
                        SET @high = @unit;
                    ELSE IF @unit BETWEEN 56320 AND 57343
                        SET @text = @text + NCHAR(65536 + (@high - 55296) * 1024 + @unit - 56320);
                    ELSE
                        SET @text = @text + NCHAR(@unit);
                    SET @i = @i + 2;
                END;
                RETURN @text;
            END
            """;

    private BabelfishText() {}

    static void install(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP FUNCTION [readpast].text_to_body");
            statement.execute(TEXT_TO_BODY);
            statement.execute("DROP FUNCTION [readpast].body_to_text");
            statement.execute(BODY_TO_TEXT);
        }
    }
}
