package org.readpast.ra.beans;

/**
 * What a container throws that has not called the bean. WildFly does so while it waits for a message to end before it undeploys the bean: it
 * refuses all others meanwhile, without a rollback of their transactions. Whoever rolls back has the next one refused as fast as can be, so a
 * message is kept until the bean is undeployed, or takes it. Exceptions are told by their names, as the adapter does not see the
 * API of Enterprise Beans everywhere.
 */
final class Refusal {

    private Refusal() {}

    /** Whether it is an EJBException: no application has those, and for what a bean throws the container decides on a rollback first. */
    static boolean isOfContainer(Throwable problem) {
        return isA(problem, "EJBException");
    }

    /** Whether it says that the bean is about to be undeployed. */
    static boolean isShutDown(Throwable problem) {
        return isA(problem, "EJBComponentUnavailableException");
    }

    private static boolean isA(Throwable problem, String name) {
        for (Class<?> type = problem == null ? null : problem.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getSimpleName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
