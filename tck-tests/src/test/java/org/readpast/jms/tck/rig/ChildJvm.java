package org.readpast.jms.tck.rig;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;
import org.readpast.jms.strict.Mode;

/**
 * A program in a JVM of its own, which reports line by line through {@link Parent#report} and is told lines. It ends with this
 * JVM, however that ends.
 */
public final class ChildJvm implements AutoCloseable {

    /** How long a child may take for what it was started for. Only a failing test ever waits this long. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    /** For many at a time: little memory, quick to start. */
    public static final List<String> SMALL =
            List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    private final String name;
    private final Process process;
    private final BufferedWriter input;
    private final Thread reader;

    /** Guarded by itself. */
    private final List<String> output = new ArrayList<>();

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        this.reader = new Thread(this::read, "output-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a program on this JVM's class path, and in its mode of SQL Server. */
    public static ChildJvm start(Class<?> program, List<String> options, String... arguments) {
        return startOn(System.getProperty("java.class.path"), program, options, arguments);
    }

    /** The same on another class path. */
    public static ChildJvm startOn(String classPath, Class<?> program, List<String> options, String... arguments) {
        return startBy(List.of(), classPath, program, options, arguments);
    }

    /** The same as the program of another command. */
    static ChildJvm startBy(
            List<String> by, String classPath, Class<?> program, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>(by);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-D" + Mode.PROPERTY + "=" + System.getProperty(Mode.PROPERTY, ""));
        command.addAll(List.of("-cp", classPath, program.getName()));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new ChildJvm(program.getSimpleName() + "-" + process.pid(), process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (output) {
                    output.add(line);
                }
            }
        } catch (IOException e) {
            synchronized (output) {
                output.add("(" + e.getMessage() + ")");
            }
        }
    }

    /** What it has reported so far, in order. */
    public List<String> reports() {
        return output().stream()
                .filter(line -> line.startsWith(Parent.MARK))
                .map(line -> line.substring(Parent.MARK.length()))
                .toList();
    }

    /** All that it wrote so far, logs included. */
    public List<String> output() {
        synchronized (output) {
            return List.copyOf(output);
        }
    }

    /** Waits for a report of these first words, and returns the rest of it. */
    public String awaitReport(String words) {
        return awaitReport(words, 1);
    }

    /** Waits for the nth report of these first words, and returns the rest of it. */
    public String awaitReport(String words, int nth) {
        Predicate<String> wanted = line -> line.equals(words) || line.startsWith(words + " ");
        try {
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> nth(wanted, nth).isPresent() || !process.isAlive());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    this + " did not report '" + words + "'; it wrote " + output() + " and stood at\n" + threads(), e);
        }
        awaitLastWords();
        return nth(wanted, nth)
                .orElseThrow(() -> new AssertionError(this + " ended without '" + words + "'; it wrote " + output()))
                .substring(words.length())
                .strip();
    }

    private Optional<String> nth(Predicate<String> wanted, int nth) {
        return reports().stream().filter(wanted).skip(nth - 1L).findFirst();
    }

    /** What an ended process wrote is read a little later. */
    private void awaitLastWords() {
        if (!process.isAlive()) {
            try {
                reader.join(PATIENCE.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sends it a line; one that has ended does not hear it. */
    public void tell(String line) {
        try {
            input.write(line);
            input.newLine();
            input.flush();
        } catch (IOException e) {
            if (process.isAlive()) {
                throw new UncheckedIOException(name + " cannot be told '" + line + "'", e);
            }
        }
    }

    /** The stacks of its threads, as jcmd tells them; what jcmd complains of where it cannot. */
    private String threads() {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            Process dump = new ProcessBuilder(jcmd, "" + pid(), "Thread.print")
                    .redirectErrorStream(true)
                    .start();
            return new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    /** The number by which the operating system knows it. */
    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: it has no chance to say good-bye. Returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Waits for its own end and returns its exit code. */
    public int awaitEnd() {
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(this + " does not end; it wrote " + output() + " and stood at\n" + threads());
            }
            awaitLastWords();
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + name, e);
        }
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return name;
    }
}
