package org.readpast.jms.store.jdbc.tsql;

import java.util.Set;

/** Words of T-SQL that the readers have to tell apart. */
final class Words {

    /** What cannot be the name of a column, a table or an alias without brackets. */
    static final Set<String> RESERVED = words("""
            ALTER AND AS BEGIN BETWEEN BREAK BY CASE CHECK COMMIT CONSTRAINT CONTINUE CREATE CROSS DECLARE DEFAULT
            DELETE DESC DISTINCT DROP ELSE END ESCAPE EXCEPT EXEC EXECUTE EXISTS FETCH FOR FOREIGN FROM FULL FUNCTION GO
            GRANT GROUP HAVING IF IN INDEX INNER INSERT INTERSECT INTO IS JOIN LEFT LIKE MERGE NOT NULL OFFSET ON OPTION
            OR ORDER OUTER OUTPUT OVER PRIMARY PRINT PROCEDURE RETURN RIGHT ROLLBACK SAVE SELECT SET TABLE THEN THROW
            TOP UNION UNIQUE UPDATE VALUES VIEW WHEN WHERE WHILE WITH
            """);

    /** Functions whose result has the collation of their arguments (Microsoft: Collation precedence). */
    static final Set<String> OF_STRINGS = words("""
            COALESCE CONCAT CONCAT_WS ISNULL JSON_MODIFY JSON_QUERY JSON_VALUE LEFT LOWER LTRIM MAX MIN NULLIF QUOTENAME
            REPLACE REVERSE RIGHT RTRIM STRING_AGG STUFF SUBSTRING TRIM UPPER
            """);

    /** Functions whose result is a text of no column. */
    static final Set<String> TEXTS = words("""
            APP_NAME DB_NAME ERROR_MESSAGE ERROR_PROCEDURE HOST_NAME OBJECT_NAME ORIGINAL_LOGIN SCHEMA_NAME
            SESSION_CONTEXT SUSER_SNAME USER_NAME
            """);

    private Words() {}

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }
}
