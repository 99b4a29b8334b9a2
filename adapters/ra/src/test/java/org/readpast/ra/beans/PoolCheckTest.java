package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.readpast.ra.Logged;

/** A pool of Readpast's that has not a connection for each message is named as the bean is deployed. */
class PoolCheckTest {

    private static final String URL = "readpast:jdbc:h2:mem:pools;DB_CLOSE_DELAY=-1#user=sa&poolSize=12";

    @Test
    void pool_that_the_beans_of_a_database_need_more_of_is_told_with_what_to_set() throws Exception {
        try (Logged log = new Logged(PoolCheck.class);
                BeanServer server = new BeanServer(URL, 0)) {
            Runnable first = server.deploy("orders", 10);
            assertThat(log.lines()).noneMatch(line -> line.contains("poolSize"));
            Runnable second = server.deploy("bills", 5);
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("poolSize"))
                    .singleElement()
                    .asString()
                    .startsWith("WARNING")
                    .contains("bills")
                    .contains("15 messages")
                    .contains("'poolSize' is 12")
                    .contains("17");
            second.run();
            first.run();
        }
    }

    @Test
    void bean_that_is_undeployed_needs_none() throws Exception {
        try (Logged log = new Logged(PoolCheck.class);
                BeanServer server = new BeanServer(URL, 0)) {
            server.deploy("orders", 10).run();
            server.deploy("bills", 10).run();
            assertThat(log.lines()).noneMatch(line -> line.contains("poolSize"));
        }
    }
}
