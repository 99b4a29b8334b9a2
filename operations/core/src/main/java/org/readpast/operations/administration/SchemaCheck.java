package org.readpast.operations.administration;

import java.util.List;
import java.util.Objects;
import org.readpast.operations.database.Product;
import org.readpast.operations.database.StatementFile;
import org.readpast.operations.server.SchemaScript;
import org.readpast.operations.snapshot.Client;

/**
 * Whether connected JMS clients are too old for what this release would install. Immutable.
 *
 * @param installed the version of the schema; 0 where none is recorded
 * @param newest what this release would bring it to; no less than {@code installed}
 * @param oldestClient the oldest version that a client may have been made for and still use it then; 0 where nothing would be installed
 * @param tooOld the connected clients that were made for an older one, and keep it from being installed by JMS clients
 */
public record SchemaCheck(int installed, int newest, int oldestClient, List<Client> tooOld) {

    public SchemaCheck {
        tooOld = List.copyOf(tooOld);
    }

    /**
     * Checks what was looked at.
     *
     * @param scripts those that were run
     * @param clients those that are connected; who does not say what it was made for is of a release before all that do
     */
    public static SchemaCheck of(Product product, List<SchemaScript> scripts, List<Client> clients) {
        int installed = scripts.stream().mapToInt(SchemaScript::version).max().orElse(0);
        int newest = installed;
        int oldest = 0;
        for (String line : release(product)) {
            String[] words = line.split(" ", -1);
            int version = Integer.parseInt(words[0].substring(0, words[0].indexOf('-')));
            if (version > installed) {
                newest = Math.max(newest, version);
                oldest = Math.max(oldest, Integer.parseInt(words[1]));
            }
        }
        int oldestClient = oldest;
        return new SchemaCheck(
                installed,
                newest,
                oldestClient,
                clients.stream()
                        .filter(client -> client.missingSince() == null)
                        .filter(client -> Objects.requireNonNullElse(client.schemaVersion(), 0) < oldestClient)
                        .toList());
    }

    /** The numbered scripts of this release. */
    private static List<String> release(Product product) {
        return StatementFile.read(product.folder() + "/schema/scripts.txt")
                .orElseThrow()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
