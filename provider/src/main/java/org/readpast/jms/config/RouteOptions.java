package org.readpast.jms.config;

import java.util.Set;

/**
 * One option {@code route.NAME.OPTION}, which says something of a database beside the factory's own.
 *
 * @param route the name of the database
 * @param option {@link #URL}, {@link #DESTINATIONS}, or an option that is otherwise there than in the factory's own database
 */
record RouteOptions(String route, String option) {

    static final String PREFIX = "route.";

    static final String URL = "url";
    static final String DESTINATIONS = "destinations";

    /** Those of the factory as a whole. */
    private static final Set<Option> OF_THE_FACTORY = Set.of(Option.CLIENT_ID, Option.TRUST_URL);

    /** @throws IllegalArgumentException if the name or the value is not understood */
    static RouteOptions read(String written, String value) {
        String rest = written.substring(PREFIX.length());
        int dot = rest.indexOf('.');
        String route = dot < 0 ? "" : rest.substring(0, dot);
        String option = rest.substring(dot + 1);
        if (!route.matches("[A-Za-z][A-Za-z0-9_-]*") || option.isEmpty()) {
            throw new IllegalArgumentException("Option '" + written
                    + "' is no option of a route; write route.NAME.url, route.NAME.destinations, or route.NAME. and an option, where NAME"
                    + " is made of letters, digits, _ and -");
        }
        if (route.equals(Routes.HOME) && !option.equals(DESTINATIONS)) {
            throw new IllegalArgumentException("Option '" + written + "': '" + Routes.HOME
                    + "' is the factory's own database, whose URL and options are the factory's; its route has nothing but '"
                    + DESTINATIONS + "'");
        }
        check(written, option, value);
        return new RouteOptions(route, option);
    }

    private static void check(String written, String option, String value) {
        if (option.equals(DESTINATIONS)) {
            Routes.patterns(written, value);
        } else if (option.equals(URL)) {
            // It is read where it is used, as the factory's own one is.
            return;
        } else if (option.startsWith(PREFIX)) {
            throw new IllegalArgumentException("Option '" + written + "': a route has no routes of its own");
        } else if (OptionReader.plainOption(option)
                .filter(OF_THE_FACTORY::contains)
                .isPresent()) {
            throw new IllegalArgumentException(
                    "Option '" + written + "': '" + option + "' is for the factory as a whole, and not for one route");
        } else {
            OptionReader.check(option, value);
        }
    }
}
