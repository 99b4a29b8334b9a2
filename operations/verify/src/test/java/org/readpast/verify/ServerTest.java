package org.readpast.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerTest {

    @Test
    void password_may_have_the_sign_that_options_follow() {
        String url = "jdbc:sqlserver://db;databaseName=x;user={sa;1};password={s#cret}";

        assertThat(new Server(url, "mq").factory().schema()).isEqualTo("mq");
    }
}
