package org.readpast.jms.tck.harness;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;
import org.readpast.jms.ReadpastConnectionFactory;

/** A target of Readpast's with a connection factory of other options. */
final class ConfiguredTarget implements Target {

    private final ReadpastTarget base;
    private final String options;
    private final ReadpastConnectionFactory factory;

    ConfiguredTarget(ReadpastTarget base, String options) {
        this.base = base;
        this.options = "&" + options;
        this.factory = base.newFactory(this.options);
    }

    @Override
    public TargetId id() {
        return base.id();
    }

    @Override
    public ConnectionFactory connectionFactory() {
        return factory;
    }

    @Override
    public QueueConnectionFactory queueConnectionFactory() {
        return factory;
    }

    @Override
    public TopicConnectionFactory topicConnectionFactory() {
        return factory;
    }

    @Override
    public ConnectionFactory connectionFactoryWithClientId(String clientId) {
        return base.newFactory(options + "&clientId=" + clientId);
    }

    @Override
    public ConnectionFactory connectionFactoryWith(String furtherOptions) {
        return base.connectionFactoryWith(furtherOptions);
    }

    @Override
    public String user() {
        return base.user();
    }

    @Override
    public String password() {
        return base.password();
    }

    @Override
    public String initialContextFactory() {
        return base.initialContextFactory();
    }

    @Override
    public String url() {
        return base.url() + options;
    }

    @Override
    public void assertNothingLeft() throws Exception {
        base.assertNothingLeft();
    }

    /** The target that it is made of is stopped by itself. */
    @Override
    public void stop() {}
}
