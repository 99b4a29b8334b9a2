package org.readpast.jms.engine.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which SQL is taken for a change of the connection's settings. */
class SettingTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "set lock_timeout 100",
                "SET LOCK_TIMEOUT -1",
                "SET ROWCOUNT 5 SELECT * FROM t SET ROWCOUNT 0",
                "-- first\n/* then */ SET search_path = other",
                "SELECT 1; SET search_path TO other",
                "INSERT INTO t VALUES (1) SET IDENTITY_INSERT t ON",
                "IF 1 = 1 SET DATEFORMAT dmy",
                "USE other",
                "SELECT 1\nUSE [other]\nSELECT 2",
                "RESET ALL",
                "DISCARD PLANS",
                "SELECT 1 AS one, set_config('role', 'x', false)",
                "EXECUTE AS USER = 'somebody'",
            })
    void text_that_changes_settings_is_found(String sql) {
        assertThat(SettingText.changes(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET a = 1",
                "UPDATE t\nSET a\n= 1, b = 2 WHERE c = 3",
                "UPDATE t SET a += 1",
                "UPDATE t SET t.a = 1",
                "UPDATE t SET \"a\" = 1",
                "UPDATE t SET [a] = 1",
                "UPDATE t SET (a, b) = (1, 2)",
                "SET @count = 5",
                "DECLARE @a int; SET @a = 1",
                "INSERT INTO offset VALUES (1)",
                "SELECT used FROM settings",
                "SELECT * FROM t OPTION (USE HINT ('ASSUME_JOIN_PREDICATE_DEPENDS_ON_FILTERS'))",
                "",
            })
    void other_text_is_not(String sql) {
        assertThat(SettingText.changes(sql)).isFalse();
    }
}
