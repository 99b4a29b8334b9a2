package org.readpast.spring;

import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** Makes the containers of {@code @JmsListener} methods: each is a {@link ReadpastMessageListenerContainer}. */
public class ReadpastJmsListenerContainerFactory extends DefaultJmsListenerContainerFactory {

    @Override
    protected DefaultMessageListenerContainer createContainerInstance() {
        return new ReadpastMessageListenerContainer();
    }
}
