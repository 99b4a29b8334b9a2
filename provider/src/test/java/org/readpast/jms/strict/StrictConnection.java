package org.readpast.jms.strict;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection whose statements are strict. Knows what its session has set. As thread-safe as the driver's. */
final class StrictConnection implements InvocationHandler {

    /** As Microsoft's driver numbers it. */
    private static final int SNAPSHOT = 4096;

    /** The column of sys.databases, but not where it is the name of a result's. */
    private static final Pattern COMPATIBILITY_LEVEL =
            Pattern.compile("(?i)(?<!\\bAS )\\b(?:\\w+\\.)?compatibility_level\\b");

    private final Connection raw;
    private final Mode mode;
    private final boolean lastCountOnly;

    /** By the names of {@link Batch.Setting}. */
    private final Map<String, String> session = new ConcurrentHashMap<>(
            Map.of("ISOLATION", "READ COMMITTED", "NOCOUNT", "OFF", "XACT_ABORT", "OFF", "LOCK_TIMEOUT", "-1"));

    private StrictConnection(Connection raw, Mode mode) throws SQLException {
        this.raw = raw;
        this.mode = mode;
        this.lastCountOnly =
                !raw.getMetaData().getURL().toLowerCase(Locale.ROOT).contains("lastupdatecount=false");
        for (String option : mode.options()) {
            session.put(option, "ON");
            run("SET " + option + " ON");
        }
    }

    static Connection of(Connection raw, Mode mode) throws SQLException {
        return (Connection) Proxy.newProxyInstance(
                StrictConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new StrictConnection(raw, mode));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class || name.equals("unwrap") || name.equals("isWrapperFor")) {
            return asWrapper(proxy, raw, method, arguments);
        }
        if (name.startsWith("prepare")) {
            arguments[0] = text((String) arguments[0]);
        }
        Object result = call(raw, method, arguments);
        return switch (name) {
            case "createStatement" -> StrictStatement.of(Statement.class, (Statement) result, null, this, proxy);
            case "prepareStatement" ->
                StrictStatement.of(PreparedStatement.class, (Statement) result, (String) arguments[0], this, proxy);
            case "prepareCall" ->
                StrictStatement.of(CallableStatement.class, (Statement) result, (String) arguments[0], this, proxy);
            case "setTransactionIsolation" -> {
                session.put("ISOLATION", nameOf((Integer) arguments[0]));
                yield result;
            }
            default -> result;
        };
    }

    /** Calls a method of the driver, whose errors come as they are. */
    static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** What every wrapper answers for itself. */
    static Object asWrapper(Object proxy, Object raw, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            case "unwrap" -> ((Class<?>) arguments[0]).isInstance(proxy) ? proxy : call(raw, method, arguments);
            case "isWrapperFor" ->
                ((Class<?>) arguments[0]).isInstance(proxy) || (Boolean) call(raw, method, arguments);
            default -> "strict " + raw;
        };
    }

    /** A text that asks for the compatibility level gets that of the mode: Babelfish says 120, and has OPENJSON all the same. */
    String text(String sql) throws SQLException {
        Matcher asked = COMPATIBILITY_LEVEL.matcher(sql);
        return asked.find() && (mode.compatibilityLevel() != Mode.DEFAULT.compatibilityLevel() || isBabelfish())
                ? asked.replaceAll(String.valueOf(mode.compatibilityLevel()))
                : sql;
    }

    private boolean isBabelfish() throws SQLException {
        return number("SELECT CAST(SERVERPROPERTY('Babelfish') AS int)") == 1;
    }

    boolean lastCountOnly() {
        return lastCountOnly;
    }

    /** Raises what the server would raise for this text. */
    void check(Batch batch) throws SQLException {
        Optional<Refusal> refusal = Refusal.of(batch, session.get("ISOLATION"), mode);
        if (refusal.isPresent()) {
            if (refusal.get().number() == Refusal.READPAST_AT_THIS_LEVEL) {
                run("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION");
            }
            throw refusal.get().exception();
        }
    }

    /** A plain batch has run: what it set stays. */
    void keepSettings(Batch batch) {
        if (!batch.isModule()) {
            session.keySet().forEach(name -> batch.lastSetting(name).ifPresent(value -> session.put(name, value)));
        }
    }

    /** A call has run: what it set goes back. */
    void undoSettings(Batch batch) throws SQLException {
        for (Map.Entry<String, String> setting : new HashMap<>(session).entrySet()) {
            Optional<String> changed = batch.lastSetting(setting.getKey());
            if (changed.isPresent() && !changed.get().equals(setting.getValue()) && !raw.isClosed()) {
                String name = setting.getKey().equals("ISOLATION") ? "TRANSACTION ISOLATION LEVEL" : setting.getKey();
                run("SET " + name + " " + setting.getValue());
            }
        }
    }

    /** {@code @@TRANCOUNT}, which a batch without parameters may ask for without beginning a transaction. */
    int transactions() throws SQLException {
        return number("SELECT @@TRANCOUNT");
    }

    private int number(String query) throws SQLException {
        try (Statement ask = raw.createStatement();
                ResultSet row = ask.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Whether statements begin transactions: the driver sets IMPLICIT_TRANSACTIONS ON while autocommit is off. */
    boolean beginsImplicitly() throws SQLException {
        return !raw.getAutoCommit();
    }

    private void run(String batch) throws SQLException {
        try (Statement statement = raw.createStatement()) {
            statement.execute(batch);
        }
    }

    private static String nameOf(int level) {
        return switch (level) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ UNCOMMITTED";
            case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
            case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
            case SNAPSHOT -> "SNAPSHOT";
            default -> "READ COMMITTED";
        };
    }
}
