package org.readpast.jms.strict;

import java.lang.reflect.Constructor;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.readpast.jms.strict.Batch.Hints;
import org.readpast.jms.strict.Batch.Place;

/**
 * An error that SQL Server would raise. The rules and their sources are in the package's description.
 *
 * @param number as SQL Server numbers it; 0 where it would not refuse, and do nothing of use
 */
record Refusal(int number, String text) {

    static final int READPAST_AT_THIS_LEVEL = 650;

    private static final Set<String> HINTS = Set.of(
            "NOLOCK",
            "READPAST",
            "READUNCOMMITTED",
            "READCOMMITTED",
            "READCOMMITTEDLOCK",
            "REPEATABLEREAD",
            "SERIALIZABLE",
            "SNAPSHOT",
            "HOLDLOCK",
            "UPDLOCK",
            "XLOCK",
            "TABLOCK",
            "TABLOCKX",
            "ROWLOCK",
            "PAGLOCK",
            "NOWAIT",
            "KEEPIDENTITY",
            "KEEPDEFAULTS",
            "NOEXPAND",
            "IGNORE_CONSTRAINTS",
            "IGNORE_TRIGGERS",
            "FORCESEEK",
            "FORCESCAN",
            "INDEX",
            "SPATIAL_WINDOW_MAX_CELLS");

    /**
     * The first reason to refuse a text.
     *
     * @param isolation the level of the session, by its name in SQL
     */
    static Optional<Refusal> of(Batch batch, String isolation, Mode mode) {
        // Who calls a module decides the level at which it runs, unless it sets its own.
        String level = batch.isModule() ? "READ COMMITTED" : isolation;
        for (Batch.Part part : batch.parts()) {
            Refusal refusal = null;
            if (part instanceof Batch.Setting setting && setting.name().equals("ISOLATION")) {
                level = setting.value();
            } else if (part instanceof Batch.OpenJson && !batch.isModule() && mode.compatibilityLevel() < 130) {
                refusal = new Refusal(208, "Invalid object name 'OPENJSON'.");
            } else if (part instanceof Hints hints) {
                refusal = place(hints);
                refusal = refusal != null ? refusal : readPast(hints, level, mode.rowVersions());
            }
            if (refusal != null) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }

    private static Refusal place(Hints hints) {
        boolean isTarget = hints.place() == Place.TARGET;
        boolean isMerge = hints.verb().equals("MERGE");
        for (String name : hints.names()) {
            if (!HINTS.contains(name)) {
                return new Refusal(321, "\"" + name + "\" is not a recognized table hints option.");
            }
        }
        if (isTarget
                && hints.table().startsWith("@")
                && (isMerge || hints.verb().equals("INSERT"))) {
            return new Refusal(156, "Incorrect syntax near the keyword 'WITH'.");
        }
        if (isTarget && hints.hasAny("NOLOCK", "READUNCOMMITTED")) {
            return new Refusal(
                    1065,
                    "The NOLOCK and READUNCOMMITTED lock hints are not allowed for target tables of INSERT, UPDATE, DELETE or MERGE"
                            + " statements.");
        }
        if (isTarget && hints.hasAny("INDEX")) {
            return new Refusal(1069, "Index hints are only allowed in a FROM or OPTION clause.");
        }
        if (isTarget && !isMerge && hints.hasAny("FORCESEEK")) {
            return new Refusal(10724, notOnTarget("FORCESEEK"));
        }
        if (isTarget && !isMerge && hints.hasAny("FORCESCAN")) {
            return new Refusal(10745, notOnTarget("FORCESCAN"));
        }
        if (isTarget && hints.verb().equals("INSERT") && hints.hasAny("READPAST")) {
            return new Refusal(
                    4102,
                    "The READPAST lock hint is only allowed on target tables of UPDATE and DELETE and on tables specified in an explicit"
                            + " FROM clause.");
        }
        if (hints.hasAny("NOLOCK", "READUNCOMMITTED")
                && hints.hasAny("UPDLOCK", "XLOCK", "HOLDLOCK", "SERIALIZABLE", "REPEATABLEREAD", "TABLOCKX")) {
            return new Refusal(1047, "Conflicting locking hints specified.");
        }
        return null;
    }

    private static String notOnTarget(String hint) {
        return "The " + hint + " hint is not allowed for target tables of INSERT, UPDATE, or DELETE statements.";
    }

    private static Refusal readPast(Hints hints, String session, boolean rowVersions) {
        if (!hints.hasAny("READPAST")) {
            return null;
        }
        String level = session;
        if (hints.hasAny("HOLDLOCK", "SERIALIZABLE")) {
            level = "SERIALIZABLE";
        } else if (hints.hasAny("NOLOCK", "READUNCOMMITTED")) {
            level = "READ UNCOMMITTED";
        } else if (hints.hasAny("READCOMMITTED", "READCOMMITTEDLOCK", "REPEATABLEREAD")) {
            level = "READ COMMITTED";
        }
        boolean reads = hints.place() == Place.SOURCE;
        if (level.equals("SERIALIZABLE") || level.equals("SNAPSHOT") || (reads && level.equals("READ UNCOMMITTED"))) {
            return new Refusal(
                    READPAST_AT_THIS_LEVEL,
                    "You can only specify the READPAST lock in the READ COMMITTED or REPEATABLE READ isolation levels.");
        }
        if (rowVersions
                && reads
                && !hints.hasAny("UPDLOCK", "XLOCK", "TABLOCK", "TABLOCKX", "READCOMMITTEDLOCK", "REPEATABLEREAD")) {
            return new Refusal(
                    0,
                    "READPAST on " + hints.table()
                            + " steps over nothing under READ_COMMITTED_SNAPSHOT, where this SELECT reads versions and takes no lock");
        }
        return null;
    }

    /** The error of a call that ends with another number of transactions than it began with. */
    static Refusal count(int before, int after) {
        return new Refusal(
                266,
                "Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements. Previous count = "
                        + before + ", current count = " + after + ".");
    }

    /** As the driver throws what the server says. */
    SQLException exception() {
        try {
            Class<?> type = Class.forName("com.microsoft.sqlserver.jdbc.SQLServerException");
            Constructor<?> constructor =
                    type.getDeclaredConstructor(Object.class, String.class, String.class, int.class, boolean.class);
            constructor.setAccessible(true);
            return (SQLException) constructor.newInstance(null, text, "S0001", number, false);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The driver's exceptions are not what they were", e);
        }
    }
}
