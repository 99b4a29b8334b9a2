package org.readpast.cli.terminal;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What is looked at in each of several databases, one after the other. One that cannot be looked at keeps nobody from looking at the others.
 *
 * @param found by the names of the databases; empty where it is not known
 * @param unknown why, by the names of those databases
 */
public record EachDatabase<T>(Map<String, Optional<T>> found, Map<String, String> unknown) {

    public static <T> EachDatabase<T> look(Target target, Target.Question<Target, T> question) throws Exception {
        Map<String, Target> databases = target.databases();
        if (databases.size() == 1) {
            // What goes wrong there is the error of the command.
            String name = databases.keySet().iterator().next();
            return new EachDatabase<>(Map.of(name, Optional.of(question.answer(target))), Map.of());
        }
        Map<String, Optional<T>> found = new LinkedHashMap<>();
        Map<String, String> unknown = new LinkedHashMap<>();
        for (Map.Entry<String, Target> database : databases.entrySet()) {
            try {
                found.put(database.getKey(), Optional.of(question.answer(database.getValue())));
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                found.put(database.getKey(), Optional.empty());
                unknown.put(database.getKey(), Failure.of(e).text());
            }
        }
        return new EachDatabase<>(found, unknown);
    }

    /** Prints what was found, database by database; their names only where there are several. */
    public void print(Output output, Consumer<T> one) {
        found.forEach((name, here) -> {
            if (!isOne()) {
                output.out().println("Database " + name + ":");
            }
            here.ifPresentOrElse(one, () -> output.out().println("UNKNOWN: " + Output.plain(unknown.get(name))));
        });
    }

    public boolean isOne() {
        return found.size() == 1;
    }
}
