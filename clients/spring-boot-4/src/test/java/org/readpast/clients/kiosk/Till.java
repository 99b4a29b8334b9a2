package org.readpast.clients.kiosk;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Hears sales, and orders what was sold. */
@Component
class Till {

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final JmsTemplate jms;

    Till(JmsTemplate jms) {
        this.jms = jms;
    }

    List<String> heard() {
        return heard;
    }

    @Transactional
    public void order(String item) {
        jms.convertAndSend("kiosk.orders", item);
    }

    @JmsListener(destination = "kiosk.sales")
    void sold(String item) {
        order(item);
        heard.add(item);
    }

    @JmsListener(id = "returns", destination = "kiosk.returns")
    void returned(String item) {
        heard.add(item + " came back");
    }
}
