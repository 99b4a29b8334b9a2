package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import jakarta.jms.JMSException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.jndi.ReadpastInitialContextFactory;
import org.slf4j.LoggerFactory;

/** Whatever somebody configures, and however wrongly: no password is in an error, its causes, a text form or a log at TRACE. */
@SuppressWarnings({
    "BanJNDI", // JNDI is one of the ways in
    "JdkObsolete" // JNDI's own type for environments
})
class SecretsTest {

    private static final String SECRET = "T1g3rL1on";

    /** What passwords have in them that takes URLs apart. */
    private static final List<String> SIGNS = List.of(
            "/", "${", "${x}", "@", ":", "#", "?", "&", ";", "=", "{", "}", "%", "%41", " ", "'", "\\", "+", "$", ",",
            "//");

    /** For each URL. */
    private static final int PASSWORDS = 12;

    /** A URL, or what somebody may take for one; the secret takes the place of the asterisk. */
    private static final List<String> URLS = List.of(
            "jdbc:h2:mem:a;USER=sa;PASSWORD=*",
            "jdbc:h2:mem:a;PASSWD=*",
            "jdbc:h2:mem:a;CIPHER=AES;PASSWORD=*;IFEXISTS=TRUE",
            "jdbc:h2:tcp://sa:*@localhost:1/a",
            "jdbc:h2:tcp://localhost:1/a;ACCESS_TOKEN=*",
            "jdbc:postgresql://scott:*@localhost:1/a",
            "jdbc:postgresql://localhost:1/a?user=scott&password=*",
            "jdbc:postgresql://localhost:1/a?passwd=*",
            "jdbc:postgresql://localhost:1/a?sslpassword=*&loginTimeout=1",
            "jdbc:postgresql:scott:*@localhost",
            "jdbc:sqlserver://sa:*@localhost:1;encrypt=false",
            "jdbc:sqlserver://localhost:1;loginTimeout=1;accessToken=*",
            "jdbc:sqlserver://localhost:1;loginTimeout=1;user=sa;password=*",
            "jdbc:sqlserver://localhost:1;loginTimeout=1;passwd=*",
            "jdbc:oracle:thin:scott/*@localhost:1/a",
            "jdbc:*",
            "amqp://guest:*@localhost",
            "tcp://localhost:61616?jms.userName=a&jms.password=*",
            "scott:*@localhost",
            "java:comp/env/jdbc/a@*",
            "//scott:*@localhost/a");

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final StringBuilder shown = new StringBuilder();

    @BeforeEach
    void listen() {
        root.setLevel(Level.TRACE);
        root.iteratorForAppenders().forEachRemaining(appender -> appender.addFilter(SILENT));
        // Read while others log.
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        root.detachAppender(log);
        root.iteratorForAppenders().forEachRemaining(appender -> appender.clearAllFilters());
        root.setLevel(before);
    }

    /** The console is not to show what only this test asks for. */
    private static final ch.qos.logback.core.filter.Filter<ILoggingEvent> SILENT =
            new ch.qos.logback.core.filter.Filter<>() {
                @Override
                public ch.qos.logback.core.spi.FilterReply decide(ILoggingEvent event) {
                    return event.getLevel().isGreaterOrEqual(Level.WARN)
                            ? ch.qos.logback.core.spi.FilterReply.NEUTRAL
                            : ch.qos.logback.core.spi.FilterReply.DENY;
                }
            };

    @Test
    void no_password_is_shown_anywhere() {
        Random random = new Random(Long.getLong("readpast.test.seed", 20_261_123));
        for (String url : URLS) {
            for (int i = 0; i < PASSWORDS; i++) {
                String password = i == 0 ? SECRET : password(random);
                for (String scheme : new String[] {"", "readpast:"}) {
                    String written = scheme + url.replace("*", password);
                    byProperties(written, password, i == 0);
                    byJndi(written, password);
                }
                assertNotShown(url.replace("*", password));
            }
        }
    }

    private static String password(Random random) {
        String sign = SIGNS.get(random.nextInt(SIGNS.size()));
        String other = SIGNS.get(random.nextInt(SIGNS.size()));
        return switch (random.nextInt(4)) {
            case 0 -> sign + SECRET;
            case 1 -> SECRET + sign;
            case 2 -> "x" + sign + SECRET + other;
            default -> "x" + sign + SECRET + "y" + other + SECRET;
        };
    }

    private void byProperties(String url, String password, boolean connecting) {
        try {
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory();
            factory.setProperty("user", "scott");
            factory.setProperty("password", password);
            show(factory);
            factory.setUrl(url);
            show(factory);
            show(factory.getReference());
            if (connecting && !url.contains("localhost")) {
                factory.setProperty("poolTimeoutMillis", "250");
                factory.createConnection("scott", password).close();
            }
        } catch (JMSException | NamingException | RuntimeException e) {
            show(e);
        }
    }

    private void byJndi(String url, String password) {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, ReadpastInitialContextFactory.class.getName());
        environment.put("connectionFactory.a", url);
        environment.put(Context.SECURITY_CREDENTIALS, password);
        show(lookup(environment));
        environment.remove("connectionFactory.a");
        environment.put(Context.PROVIDER_URL, url);
        show(lookup(environment));
    }

    private static Object lookup(Hashtable<String, String> environment) {
        try {
            Context context = new InitialContext(environment);
            return List.of(context.toString(), context.lookup("a").toString());
        } catch (NamingException e) {
            return e;
        }
    }

    /** With causes, suppressed ones and what is linked. */
    private void show(Object object) {
        if (object instanceof Throwable problem) {
            StringWriter text = new StringWriter();
            problem.printStackTrace(new PrintWriter(text, true));
            shown.append(text);
            if (problem instanceof JMSException jms && jms.getLinkedException() != null) {
                show(jms.getLinkedException());
            }
        } else {
            shown.append(object).append('\n');
        }
    }

    private void assertNotShown(String url) {
        for (ILoggingEvent event : new ArrayList<>(log.list)) {
            shown.append(event.getFormattedMessage()).append('\n');
            if (event.getThrowableProxy() != null) {
                shown.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
        }
        log.list.clear();
        assertThat(shown.toString().lines().filter(line -> line.contains(SECRET)))
                .as(url)
                .isEmpty();
        shown.setLength(0);
    }
}
