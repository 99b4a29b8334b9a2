package org.readpast.benchmarks.machine;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program in a JVM of its own, on this one's class path. It says what it has to say in lines on its standard output that
 * begin with {@link #MARK}, and ends when its standard input does; its errors go where this JVM's go, and the last of them are told if
 * it ends too soon. One thread uses it.
 */
public final class ChildJvm implements AutoCloseable {

    private static final String MARK = "== ";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int LAST_ERRORS = 40;

    private final String name;
    private final Process process;
    private final BufferedReader output;
    private final BufferedWriter input;

    /** Guarded by itself. */
    private final Deque<String> lastErrors = new ArrayDeque<>();

    private final Thread errors;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        this.errors = new Thread(this::passErrorsOn, "errors of " + name);
        errors.setDaemon(true);
        errors.start();
    }

    /**
     * Starts a program.
     *
     * @param options for the JVM
     */
    public static ChildJvm start(Class<?> program, List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).start();
        return new ChildJvm(program.getSimpleName() + " " + process.pid(), process);
    }

    /** Called in the child: says a line to its parent. */
    public static void say(String line) {
        System.out.println(MARK + line);
        System.out.flush();
    }

    /** Called in the child: waits for a line of its parent's; empty when the parent has closed it or ended. */
    public static Optional<String> hear() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = System.in.read(); next != '\n'; next = System.in.read()) {
            if (next == -1) {
                return Optional.empty();
            }
            line.append((char) next);
        }
        return Optional.of(line.toString());
    }

    /**
     * Waits for what it says next.
     *
     * @throws IOException if it ends without a word
     */
    public String awaitLine() throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(MARK)) {
                return line.substring(MARK.length());
            }
        }
        throw new IOException(name + " says no more; " + ending());
    }

    /** How it ended: 137 is a SIGKILL, as by a system that is short of memory. */
    private String ending() {
        try {
            process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            errors.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (lastErrors) {
            return (process.isAlive() ? "it runs: " : "it has ended with " + process.exitValue() + ": ")
                    + String.join(System.lineSeparator(), lastErrors);
        }
    }

    private void passErrorsOn() {
        try (BufferedReader lines = process.errorReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.err.println(line);
                synchronized (lastErrors) {
                    lastErrors.add(line);
                    if (lastErrors.size() > LAST_ERRORS) {
                        lastErrors.remove();
                    }
                }
            }
        } catch (IOException e) {
            System.err.println(name + ": its errors cannot be read: " + e);
        }
    }

    /** Says a line to it. */
    public void tell(String line) throws IOException {
        input.write(line);
        input.write('\n');
        input.flush();
    }

    /** Its processor time so far, in seconds. */
    public double processorSeconds() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    /** Lets it end by itself, and makes it end if it does not. */
    @Override
    public void close() {
        try {
            input.close();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
