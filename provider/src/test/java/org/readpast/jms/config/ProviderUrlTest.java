package org.readpast.jms.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProviderUrlTest {

    @Test
    void jdbc_url_is_taken_with_and_without_our_scheme() {
        for (String url : new String[] {"readpast:jdbc:h2:mem:orders", "jdbc:h2:mem:orders", "  jdbc:h2:mem:orders "}) {
            assertThat(jdbc(url).url().text()).isEqualTo("jdbc:h2:mem:orders");
        }
    }

    @Test
    void anything_else_behind_our_scheme_is_the_name_of_a_data_source() {
        assertThat(ProviderUrl.parse("readpast:java:comp/env/jdbc/app#schema=mq"))
                .isEqualTo(new ProviderUrl.DataSourceName("java:comp/env/jdbc/app", Map.of("schema", "mq")));
        assertThat(ProviderUrl.parse("readpast:jdbc/app"))
                .isEqualTo(new ProviderUrl.DataSourceName("jdbc/app", Map.of()));
    }

    @Test
    void options_follow_behind_the_last_hash() {
        ProviderUrl.Jdbc url =
                jdbc("readpast:jdbc:postgresql://db/app?ssl=true#poolSize=4&redelivery.a%26b.*.maximumDeliveries=3"
                        + "&password=1+1%3D2%23");

        assertThat(url.url().text()).isEqualTo("jdbc:postgresql://db/app?ssl=true");
        assertThat(url.options())
                .containsOnly(
                        Map.entry("poolSize", "4"),
                        Map.entry("redelivery.a&b.*.maximumDeliveries", "3"),
                        Map.entry("password", "1+1=2#"));
    }

    @Test
    void jdbc_url_with_a_hash_of_its_own_is_closed_with_another_one() {
        assertThat(jdbc("jdbc:h2:./issue#12#").url().text()).isEqualTo("jdbc:h2:./issue#12");
        assertThat(jdbc("jdbc:sqlserver://db;password={a#b};encrypt=true#")
                        .url()
                        .password())
                .isEqualTo("a#b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlserver://db;user=sa;password=top#secret;encrypt=true",
                "jdbc:sqlserver://db;user=sa;password={top#secret=x};encrypt=true",
                "jdbc:sqlserver://db;user=sa;password=top#secret=x",
                "jdbc:sqlserver://db;user=sa;password=top#secret",
                "readpast:jdbc:postgresql://db/app?password=top#secret=x&ssl=true",
                "readpast:jdbc:postgresql://db/app?password=top#poolSize=secret",
                "readpast:jdbc:h2:mem:a#password=%zzsecret",
                "amqp://user:secret@host",
                "secret",
                "readpast:user:secret@host"
            })
    void refusal_shows_no_part_of_a_password(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProviderUrl.parse(url))
                .satisfies(e -> assertThat(e).hasMessageNotContaining("secret").hasNoCause());
    }

    @Test
    void foreign_scheme_is_refused_with_an_example() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProviderUrl.parse("tcp://localhost:61616"))
                .withMessageContaining("'tcp:'")
                .withMessageContaining("readpast:jdbc:");
        assertThatIllegalArgumentException().isThrownBy(() -> ProviderUrl.parse("readpast: "));
        assertThatIllegalArgumentException().isThrownBy(() -> ProviderUrl.parse(null));
    }

    @Test
    void credentials_in_the_jdbc_url_become_options_unless_options_say_otherwise() {
        assertThat(jdbc("jdbc:postgresql://db/app?user=scott&password=t%20r").options())
                .containsOnly(Map.entry("user", "scott"), Map.entry("password", "t r"));
        assertThat(jdbc("jdbc:postgresql://db/app?user=scott&password=tiger#userName=anna&password=x")
                        .options())
                .containsOnly(Map.entry("userName", "anna"), Map.entry("password", "x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "readpast:ldap://somewhere/Exploit",
                "readpast:rmi://somewhere/Exploit",
                "readpast:ldaps:anything",
                "readpast:iiop://somewhere/x",
                "readpast:dns://somewhere/x",
                "readpast:LDAP://somewhere/x",
                "readpast:jdbc:h2:mem:a;INIT=RUNSCRIPT FROM 'http://somewhere/x.sql'",
                "readpast:jdbc:h2:mem:a;MODE=Oracle;init=x",
                "jdbc:h2:mem:a;DATABASE_EVENT_LISTENER='some.Class'"
            })
    void url_that_connects_elsewhere_or_runs_code_is_refused(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProviderUrl.parse(url).refuseTrust())
                .withMessageContaining("trustUrl");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "readpast:java:comp/env/jdbc/app",
                "readpast:java:/jdbc/app",
                "readpast:openejb:Resource/jdbc/app",
                "readpast:jdbc/app",
                "readpast:app",
                "readpast:a/ldap://b",
                "jdbc:h2:mem:a;MODE=Oracle",
                "jdbc:postgresql://db/app"
            })
    void names_in_the_own_jvm_and_databases_need_no_trust(String url) {
        assertThatCode(() -> ProviderUrl.parse(url).refuseTrust()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"readpast:ldap://x/y#trustUrl=true", "jdbc:h2:mem:a;INIT=x#poolSize=4&jms.trustUrl=true"})
    void url_cannot_trust_itself(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProviderUrl.parse(url))
                .withMessageContaining("'trustUrl' cannot stand in the URL");
    }

    @Test
    void text_form_has_no_secrets() {
        String shown = ProviderUrl.parse(
                        "readpast:jdbc:sqlserver://db:1433;databaseName=app;password=tiger;trustStorePassword=lion#clientId=c&password=puma")
                .toString();

        assertThat(shown).isEqualTo("readpast:jdbc:sqlserver://db:1433;databaseName=app");
    }

    private static ProviderUrl.Jdbc jdbc(String url) {
        return assertThat(ProviderUrl.parse(url))
                .asInstanceOf(type(ProviderUrl.Jdbc.class))
                .actual();
    }
}
