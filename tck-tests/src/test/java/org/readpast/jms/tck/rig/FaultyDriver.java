package org.readpast.jms.tck.rig;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A driver in front of a database's own, on whose connections a step fails: what speaks with the server, that is a connection that is
 * made, a statement, a further result, a commit or rollback. Which one is chosen by its number or by its text. Thread-safe.
 */
public final class FaultyDriver implements Driver, AutoCloseable {

    private static final String PREFIX = "jdbc:faulty:";
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** Connection methods that speak with every server. */
    private static final Set<String> SPEAKING = Set.of("commit", "rollback", "setSavepoint");

    private final String realUrl;
    private final String url = PREFIX + NUMBERS.incrementAndGet();
    private final AtomicInteger steps = new AtomicInteger();

    /** Connections that the server still takes for open, and what ends that. */
    private final Map<Connection, Runnable> halfOpen = new ConcurrentHashMap<>();

    private final Timer later = new Timer("faulty-driver", true);
    private volatile long noticedMillis = Long.MAX_VALUE;
    private final AtomicReference<Before> before = new AtomicReference<>();
    private final AtomicReference<Interlude> behind = new AtomicReference<>();
    private volatile Plan plan;
    private volatile String failed = "none";
    private volatile Predicate<Thread> heard = thread -> false;
    private volatile boolean spoken;

    /** How a step fails. */
    public enum Fault {
        /** The network is cut before the server has heard of it, and the server notices at once. */
        CUT_BEFORE,
        /** The same, and the server does not notice: what was open there stays open. */
        LOST_BEFORE,
        /** What stands before the COMMIT of a statement's text has reached the server, the rest has not, and it does not notice. */
        LOST_WITHIN,
        /** The server has carried it out, its answer is cut off, and the server notices at once. */
        CUT_BEHIND,
        /** The same, and the server does not notice. */
        LOST_BEHIND,
        /** It reaches the server when the client has given the connection up; then the server notices. */
        LATE,
        /** The server refuses; the connection lives. */
        REFUSED,
        /** The driver throws what JDBC does not have, before the server has heard of it; the connection lives. */
        THROWN_BEFORE,
        /** The same when the server has carried it out. */
        THROWN_BEHIND;

        boolean isCarriedOut() {
            return this == CUT_BEHIND || this == LOST_BEHIND || this == THROWN_BEHIND;
        }

        boolean isThrown() {
            return this == THROWN_BEFORE || this == THROWN_BEHIND;
        }

        boolean isHalfOpen() {
            return this == LOST_BEFORE || this == LOST_WITHIN || this == LOST_BEHIND || this == LATE;
        }
    }

    /** Which steps of which threads are counted, which of them fails, and how. */
    private record Plan(
            Predicate<Thread> whose, Predicate<String> what, int number, Fault fault, AtomicBoolean happened) {}

    private FaultyDriver(String realUrl) {
        this.realUrl = realUrl;
    }

    /** In front of the driver of a URL. */
    public static FaultyDriver of(String realUrl) throws SQLException {
        FaultyDriver driver = new FaultyDriver(realUrl);
        DriverManager.registerDriver(driver);
        return driver;
    }

    /** Leads to the database by way of this driver. */
    public String url() {
        return url;
    }

    /** The step of this number, counted from 1 and from now on among those of these threads, fails, once. */
    public void failStep(int number, Fault fault, Predicate<Thread> whose) {
        steps.set(0);
        plan = new Plan(whose, text -> true, number, fault, new AtomicBoolean());
    }

    /** The calling thread, and those that carry out what it closes. */
    public static Predicate<Thread> caller() {
        Thread caller = Thread.currentThread();
        return thread -> thread == caller || thread.getName().startsWith("readpast-closing-");
    }

    /** The next step of the caller fails, once, in whose text this is, in whatever letters; a commit is {@code commit()}. */
    public void failNext(String word, Fault fault) {
        failNext(word, fault, caller());
    }

    /** The same with the next step of any of these threads. */
    public void failNext(String word, Fault fault, Predicate<Thread> whose) {
        steps.set(0);
        plan = new Plan(whose, text -> text.toLowerCase(Locale.ROOT).contains(word), 1, fault, new AtomicBoolean());
    }

    /** The first commit of such a thread behind a step of its in whose text this is fails, once. */
    public void failCommitBehind(String word, Fault fault, Predicate<Thread> whose) {
        steps.set(0);
        AtomicBoolean seen = new AtomicBoolean();
        Predicate<String> commitBehind = text -> {
            if (text.toLowerCase(Locale.ROOT).contains(word)) {
                seen.set(true);
                return false;
            }
            return seen.get() && text.equals("commit()");
        };
        plan = new Plan(whose, commitBehind, 1, fault, new AtomicBoolean());
    }

    /** Before the next step of this thread in whose text this is, something else happens, once. */
    public void beforeNext(String word, Interlude interlude) {
        before.set(new Before(caller(), word, interlude));
    }

    /** Once a step has failed and the server has noticed it, something else happens before the caller hears of it, once. */
    public void behindFailure(Interlude interlude) {
        behind.set(interlude);
    }

    /** What happens before a step, or behind one. */
    @FunctionalInterface
    public interface Interlude {
        void run() throws Exception;
    }

    private record Before(Predicate<Thread> whose, String word, Interlude interlude) {}

    private void play(String text) throws Exception {
        Before due = before.get();
        if (due != null
                && due.whose().test(Thread.currentThread())
                && text.toLowerCase(Locale.ROOT).contains(due.word())
                && before.compareAndSet(due, null)) {
            due.interlude().run();
        }
    }

    /** From now on it is noted whether any of these threads speaks with the server, however short it lives. */
    public void listenTo(Predicate<Thread> whose) {
        spoken = false;
        heard = whose;
    }

    /** Whether one of those to whom it listens has spoken with the server. */
    public boolean hasSpoken() {
        return spoken;
    }

    /** Whether what is to fail has failed. */
    public boolean hasFailed() {
        Plan current = plan;
        return current != null && current.happened().get();
    }

    /** Nothing fails any more; returns whether something has. */
    public boolean stop() {
        Plan ended = plan;
        plan = null;
        return ended != null && ended.happened().get();
    }

    /** The server notices which connections are lost. */
    public void noticeLost() {
        halfOpen.keySet().forEach(this::notice);
    }

    private synchronized void notice(Connection raw) {
        Runnable ending = halfOpen.get(raw);
        if (ending != null) {
            ending.run();
            halfOpen.remove(raw);
        }
    }

    /** Whether the driver asks the server for autocommit, and for each result as it is wanted. */
    private boolean speaksOften() {
        return realUrl.startsWith("jdbc:sqlserver:");
    }

    /** From now on the server notices by itself, after so long, which connections are lost. */
    public void noticeLostAfter(long millis) {
        noticedMillis = millis;
    }

    private void delayed(Connection raw) {
        if (noticedMillis != Long.MAX_VALUE) {
            later.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            notice(raw);
                        }
                    },
                    noticedMillis);
        }
    }

    /** How many connections are lost without the server's knowing. */
    public int countLost() {
        return halfOpen.size();
    }

    private static void drop(Connection raw) {
        // A server that merely lost the connection would take a moment to notice; and H2's abort does nothing.
        try (raw) {
            if (!raw.getAutoCommit()) {
                raw.rollback();
            }
        } catch (SQLException e) {
            // The server may have ended it already, as somebody else may ask it to.
            System.err.println("A lost connection was gone: " + e.getMessage());
        }
    }

    @Override
    public void close() throws SQLException {
        noticeLost();
        later.cancel();
        DriverManager.deregisterDriver(this);
    }

    @Override
    public Connection connect(String asked, Properties info) throws SQLException {
        if (!acceptsURL(asked)) {
            return null;
        }
        Fault fault = dueNow("connect");
        if (fault != null) {
            if (fault.isThrown()) {
                throw new IllegalStateException("The driver is broken, as the test wants it");
            }
            throw lost();
        }
        Connection raw = DriverManager.getConnection(realUrl, info);
        return proxy(Connection.class, new ConnectionHandler(raw));
    }

    /** Whether it is an error that is wanted: those of a server come with the statement. */
    private boolean isRefusal() {
        Plan set = plan;
        return set != null && set.fault() == Fault.REFUSED;
    }

    private Fault dueNow(String text) {
        Plan set = plan;
        if (set == null
                || !set.whose().test(Thread.currentThread())
                || !set.what().test(text)
                || steps.incrementAndGet() != set.number()
                || !set.happened().compareAndSet(false, true)) {
            return null;
        }
        failed = text.lines().filter(line -> !line.startsWith("--")).limit(2).collect(Collectors.joining(" "));
        return set.fault();
    }

    /** The beginning of the step that failed last. */
    public String failed() {
        return failed;
    }

    private static SQLException lost() {
        return new SQLRecoverableException("The connection was lost, as the test wants it", "08006");
    }

    /** One connection. */
    private final class ConnectionHandler implements InvocationHandler {
        private final Connection raw;
        private volatile boolean lost;

        ConnectionHandler(Connection raw) {
            this.raw = raw;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            String name = method.getName();
            if (lost) {
                switch (name) {
                    case "isClosed" -> {
                        return true;
                    }
                    case "close", "abort" -> {
                        return null;
                    }
                    case "isValid" -> {
                        return false;
                    }
                    default -> {
                        if (method.getDeclaringClass() != Object.class) {
                            throw new SQLException("The connection is closed", "08003");
                        }
                    }
                }
            }
            if (name.equals("unwrap") && ((Class<?>) arguments[0]).isInstance(proxy)) {
                return proxy;
            }
            boolean speaks = SPEAKING.contains(name)
                    || (name.equals("setAutoCommit") && speaksOften() && !arguments[0].equals(raw.getAutoCommit()));
            Object result = speaks ? step(name + "()", null, raw, method, arguments) : call(raw, method, arguments);
            String text = arguments != null && arguments.length > 0 && arguments[0] instanceof String sql ? sql : "";
            return result instanceof Statement statement ? wrap(statement, text, (Connection) proxy) : result;
        }

        private Statement wrap(Statement statement, String prepared, Connection connection) {
            Class<? extends Statement> type = statement instanceof CallableStatement
                    ? CallableStatement.class
                    : statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
            PartlySent part = PartlySent.of(prepared);
            return proxy(type, (self, method, arguments) -> {
                String name = method.getName();
                if (part != null
                        && name.startsWith("set")
                        && arguments.length == 2
                        && arguments[0] instanceof Integer position) {
                    part.parameters().add(new Parameter(method, position, arguments[1]));
                }
                if (name.equals("getConnection")) {
                    return connection;
                }
                if (name.startsWith("execute")) {
                    String text = arguments != null && arguments.length > 0 ? String.valueOf(arguments[0]) : prepared;
                    return step(text, part, statement, method, arguments);
                }
                return name.equals("getMoreResults") && speaksOften() && !isRefusal()
                        ? step("result of " + prepared, null, statement, method, arguments)
                        : lost && name.equals("close") ? null : call(statement, method, arguments);
            });
        }

        private Object step(String text, PartlySent part, Object target, Method method, Object[] arguments)
                throws Throwable {
            play(text);
            if (!spoken && heard.test(Thread.currentThread())) {
                spoken = true;
            }
            Fault fault = dueNow(text);
            if (fault == null) {
                return call(target, method, arguments);
            }
            if (fault == Fault.REFUSED) {
                throw refusal();
            }
            if (fault.isCarriedOut()) {
                call(target, method, arguments);
            } else if (fault == Fault.LOST_WITHIN && part != null) {
                part.send(raw);
            }
            if (fault.isThrown()) {
                throw new IllegalStateException("The driver is broken, as the test wants it");
            }
            lost = true;
            if (fault.isHalfOpen()) {
                halfOpen.put(raw, fault == Fault.LATE ? () -> sendLate(target, method, arguments) : () -> drop(raw));
                delayed(raw);
            } else {
                drop(raw);
            }
            Interlude due = behind.getAndSet(null);
            if (due != null) {
                due.run();
            }
            throw lost();
        }

        private void sendLate(Object target, Method method, Object[] arguments) {
            try {
                call(target, method, arguments);
            } catch (Throwable refused) {
                System.err.println("A late step was refused: " + refused);
            }
            drop(raw);
        }

        /** An error of the server's own, with all that it does to the open transaction. */
        private SQLException refusal() throws SQLException {
            try (Statement statement = raw.createStatement()) {
                statement.execute("SELECT 1 / (2 - 2)");
                throw new IllegalStateException("The server has divided by zero");
            } catch (SQLException e) {
                return e;
            }
        }
    }

    /** A value that was set for a statement. */
    private record Parameter(Method method, int position, Object value) {}

    /** What of a statement stands before its COMMIT. */
    private record PartlySent(String text, List<Parameter> parameters) {

        private static final Pattern COMMIT = Pattern.compile("(?m)^COMMIT\\b");

        /** Null where nothing does. */
        static PartlySent of(String whole) {
            Matcher commit = COMMIT.matcher(whole);
            return commit.find() && commit.start() > 0
                    ? new PartlySent(whole.substring(0, commit.start()), new ArrayList<>())
                    : null;
        }

        void send(Connection raw) throws Throwable {
            long values = text.chars().filter(letter -> letter == '?').count();
            try (PreparedStatement statement = raw.prepareStatement(text)) {
                for (Parameter parameter : parameters) {
                    if (parameter.position() <= values) {
                        call(statement, parameter.method(), new Object[] {parameter.position(), parameter.value()});
                    }
                }
                statement.execute();
            }
        }
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(FaultyDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public boolean acceptsURL(String asked) {
        return url.equals(asked);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String asked, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("org.readpast");
    }
}
