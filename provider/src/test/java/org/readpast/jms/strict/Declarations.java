package org.readpast.jms.strict;

import com.microsoft.sqlserver.jdbc.SQLServerPreparedStatement;
import java.lang.reflect.Field;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The types with which the driver has declared the parameters of each text in this JVM. SQL Server compiles and keeps a plan for each
 * text with its declarations, so a type that goes by the length of a value or by who sets it fills the plan cache. Thread-safe.
 */
public final class Declarations {

    private static final Field DRIVERS = field();

    private static final Declarations OF_RUN = new Declarations();

    private final Map<String, Set<String>> byText = new ConcurrentHashMap<>();

    Declarations() {}

    /** Those of this JVM. */
    public static Declarations ofRun() {
        return OF_RUN;
    }

    /** Each text that was run with parameters, and the declarations that it was run with. */
    public Map<String, Set<String>> byText() {
        return byText;
    }

    /**
     * Notes what the driver has just declared.
     *
     * @return why this declaration should not be, if another one of the same text differs in more than short and long values
     */
    Optional<Refusal> note(String text, Statement raw) {
        String declared = raw instanceof SQLServerPreparedStatement ? declared(raw) : null;
        return declared == null || declared.isEmpty() ? Optional.empty() : note(text, declared);
    }

    Optional<Refusal> note(String text, String declared) {
        Set<String> known = byText.computeIfAbsent(text, key -> ConcurrentHashMap.newKeySet());
        if (known.contains(declared)) {
            return Optional.empty();
        }
        Set<String> others = new TreeSet<>(known);
        known.add(declared);
        String kind = shortened(declared);
        return others.stream()
                .filter(other -> !shortened(other).equals(kind))
                .findFirst()
                .map(other -> new Refusal(
                        0,
                        "A second plan for one text, whose parameters were declared as " + other + " and now as "
                                + declared));
    }

    /** The driver knows a short and a long type for texts and for bytes: two plans for one parameter, never more. */
    private static String shortened(String declared) {
        return declared.replace("nvarchar(max)", "nvarchar(4000)").replace("varbinary(max)", "varbinary(8000)");
    }

    private static String declared(Statement raw) {
        try {
            return (String) DRIVERS.get(raw);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field field() {
        try {
            Field field = SQLServerPreparedStatement.class.getDeclaredField("preparedTypeDefinitions");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("The driver's prepared statements are not what they were", e);
        }
    }
}
