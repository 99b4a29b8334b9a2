package org.readpast.clients.kiosk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.spring.boot.test.ReadpastTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** The messages of an application that has them in a database of their own are in H2 as well. */
@ReadpastTest
@DirtiesContext
@TestPropertySource(
        properties = {
            "readpast.url=readpast:jdbc:postgresql://production/messages",
            "readpast.route.west.url=jdbc:postgresql://production/west",
            "readpast.route.west.destinations=west.*",
            "readpast.route.west.user=kiosk",
            "readpast.route.west.create-schema=false"
        })
class ElsewhereTest {

    @Test
    void messages_are_not_where_the_application_has_them(@Autowired JmsTemplate jms) {
        for (String queue : List.of("elsewhere", "west.elsewhere")) {
            jms.convertAndSend(queue, "here");
            assertThat(jms.receiveAndConvert(queue)).isEqualTo("here");
        }
    }
}
