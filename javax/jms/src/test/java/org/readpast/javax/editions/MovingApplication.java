package org.readpast.javax.editions;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The application of {@link MoveTest}, in a JVM of its own: what it does with one edition, and then with the other. */
public final class MovingApplication {

    static final String KINDS = "kinds";
    static final int HOW_MANY_KINDS = 6;
    static final String ROLLED_BACK = "rolled back";
    static final String LATER = "later";

    private MovingApplication() {}

    /** @param arguments whether it is the one before the move, Readpast's URL, and the file for what was received, line by line */
    public static void main(String[] arguments) throws Exception {
        try (Party party = new JmsParty(arguments[1])) {
            List<String> received = new ArrayList<>(List.of(party.api()));
            if (Boolean.parseBoolean(arguments[0])) {
                before(party, received);
            } else {
                after(party, received);
            }
            Files.write(Path.of(arguments[2]), received);
        }
    }

    private static void before(Party party, List<String> received) throws Exception {
        party.subscribe("prices", "orders");
        party.publish("prices", "one");
        party.publish("prices", "two");
        party.sendAllKinds(KINDS);
        receive(party, KINDS, HOW_MANY_KINDS, received);
        party.sendAllKinds(KINDS);
        party.sendDelayed(ROLLED_BACK, "again", 0);
        party.rollBack(ROLLED_BACK);
        party.sendDelayed(LATER, "not yet", Duration.ofHours(1).toMillis());
    }

    private static void after(Party party, List<String> received) throws Exception {
        receive(party, KINDS, HOW_MANY_KINDS, received);
        receive(party, ROLLED_BACK, 1, received);
        receive(party, LATER, 1, received);
        received.add(party.subscribe("prices", "orders").toString());
    }

    private static void receive(Party party, String queue, int count, List<String> received) throws Exception {
        for (Map<String, Object> message : party.receive(queue, count)) {
            received.add(message.toString().replace("\n", "\\n"));
        }
    }
}
