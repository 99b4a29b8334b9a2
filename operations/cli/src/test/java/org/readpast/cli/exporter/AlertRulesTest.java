package org.readpast.cli.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.operations.verdict.Severity;

/** That the alert rules leave out nothing that the exporter tells apart. */
class AlertRulesTest {

    private static List<String> expressions() throws IOException {
        return Pattern.compile("(?m)^ +expr: (.+)$")
                .matcher(Files.readString(Path.of("..", "monitoring", "prometheus-rules.yml")))
                .results()
                .map(expression -> expression.group(1))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void findings_of_each_severity_wake_somebody(Severity severity) throws IOException {
        String matcher = "readpast_findings{severity=\"" + severity.name().toLowerCase(Locale.ROOT) + "\"";
        assertThat(expressions()).anyMatch(expression -> expression.contains(matcher));
    }

    /** It has a finding, which somebody may silence; one whose consumers are too slow has none. */
    @Test
    void subscription_that_nobody_reads_is_not_told_of_by_its_age() throws IOException {
        assertThat(expressions())
                .filteredOn(expression -> expression.contains("age_seconds{kind=\"subscription\"}"))
                .singleElement()
                .asString()
                .contains(
                        "and on (job, instance, database, destination) readpast_consumers{kind=\"subscription\"} > 0");
    }

    /** Else one exporter that is away is told of twice. */
    @Test
    void exporter_that_is_seen_to_be_away_is_not_absent_besides() throws IOException {
        assertThat(expressions())
                .contains("up{job=\"readpast\"} == 0 or (absent(readpast_up) unless on () up{job=\"readpast\"} == 0)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue", "subscription"})
    void old_messages_of_each_kind_that_is_consumed_wake_somebody(String kind) throws IOException {
        String matcher = "readpast_oldest_message_age_seconds{kind=\"" + kind + "\"}";
        assertThat(expressions()).anyMatch(expression -> expression.contains(matcher));
    }
}
