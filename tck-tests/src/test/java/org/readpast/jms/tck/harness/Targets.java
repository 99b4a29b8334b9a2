package org.readpast.jms.tck.harness;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Which targets this run asks for, and their instances. A target that was asked for and cannot be reached fails every
 * case that would have run on it; nothing is skipped in silence.
 */
public final class Targets {
    /** Comma separated labels of {@link TargetId}; without it, all databases that can be had. */
    public static final String TARGETS_PROPERTY = "readpast.test.targets";

    /** JDBC URL of a SQL Server, with credentials in it. */
    public static final String SQLSERVER_URL_PROPERTY = "readpast.test.sqlserver.url";

    /** JDBC URL of a node of a Citus cluster, with credentials in it: PostgreSQL is this node then. */
    public static final String CITUS_URL_PROPERTY = "readpast.test.citus.url";

    /** {@code all} for matrices on all targets. */
    private static final String MATRICES_PROPERTY = "readpast.test.matrices";

    private static final Map<TargetId, Target> STARTED = new EnumMap<>(TargetId.class);
    private static final Map<TargetId, Throwable> FAILED = new EnumMap<>(TargetId.class);

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Targets::closeAll, "tck-targets-stop"));
    }

    private Targets() {}

    /** The targets of this run, in the order in which they were asked for. */
    public static List<TargetId> requested() {
        String asked = System.getProperty(TARGETS_PROPERTY, "").strip();
        if (!asked.isEmpty()) {
            return Arrays.stream(asked.split("\\s*,\\s*"))
                    .map(TargetId::ofLabel)
                    .distinct()
                    .toList();
        }
        return hasSqlServerUrl()
                ? List.of(TargetId.H2, TargetId.POSTGRESQL, TargetId.SQLSERVER)
                : List.of(TargetId.H2, TargetId.POSTGRESQL);
    }

    /** Whether this run asks for each case of a matrix on each target, and not on one alone. */
    public static boolean hasAllMatrices() {
        return "all".equals(System.getProperty(MATRICES_PROPERTY));
    }

    static boolean hasSqlServerUrl() {
        return !System.getProperty(SQLSERVER_URL_PROPERTY, "").isBlank();
    }

    /** The started target. The first call starts it; if that failed, every later call fails in the same way. */
    public static synchronized Target get(TargetId id) {
        Throwable failure = FAILED.get(id);
        if (failure == null) {
            Target started = STARTED.get(id);
            if (started != null) {
                return started;
            }
            try {
                Target target = start(id);
                STARTED.put(id, target);
                return target;
            } catch (Exception | LinkageError e) {
                FAILED.put(id, e);
                failure = e;
            }
        }
        throw new IllegalStateException(
                "target '" + id.label() + "' was asked for and cannot be reached: " + failure.getMessage(), failure);
    }

    private static Target start(TargetId id) throws Exception {
        return switch (id) {
            case H2 -> H2Target.start();
            case MEMORY -> new MemoryTarget();
            case POSTGRESQL -> PostgresTarget.start();
            case SQLSERVER -> SqlServerTarget.start(System.getProperty(SQLSERVER_URL_PROPERTY, ""));
            case ARTEMIS -> ArtemisTarget.start();
        };
    }

    private static synchronized void closeAll() {
        STARTED.values().forEach(target -> {
            try {
                target.stop();
            } catch (Exception e) {
                // The JVM is ending and the loggers may be gone with it.
                System.err.println("target '" + target.id().label() + "' could not be stopped: " + e);
            }
        });
        STARTED.clear();
    }
}
