package org.readpast.clients.kiosk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.readpast.spring.boot.test.ReadpastTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** The messages of an application that has them in a database of their own are in H2 as well. */
@ReadpastTest
@DirtiesContext
@TestPropertySource(properties = "readpast.url=readpast:jdbc:postgresql://production/messages")
class ElsewhereTest {

    @Test
    void messages_are_not_where_the_application_has_them(@Autowired JmsTemplate jms) {
        jms.convertAndSend("elsewhere", "here");
        assertThat(jms.receiveAndConvert("elsewhere")).isEqualTo("here");
    }
}
