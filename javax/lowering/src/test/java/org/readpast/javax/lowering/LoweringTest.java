package org.readpast.javax.lowering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lowered classes beside the ones that they were made from. */
class LoweringTest {

    /** One of each kind of component. */
    @SuppressWarnings("ArrayRecordComponent") // compared by identity, as every record does
    public record Everything(
            boolean flag,
            byte small,
            short medium,
            char letter,
            int number,
            long large,
            float real,
            double precise,
            String text,
            int[] array,
            List<String> list) {}

    public record Nothing() {}

    public record Pair<A extends Comparable<A>, B>(A first, B second) implements Comparable<Pair<A, B>> {
        public Pair {
            if (first == null) {
                throw new IllegalArgumentException("no first");
            }
        }

        @Override
        public int compareTo(Pair<A, B> other) {
            return first.compareTo(other.first);
        }
    }

    public sealed interface Shape permits Circle, Square {}

    public record Circle(double radius) implements Shape {}

    public record Square(double side) implements Shape {
        @Override
        public String toString() {
            return "a square of " + side;
        }
    }

    /** What is run in its lowered form. */
    public static final class Program {
        public static List<Object> list(Stream<Object> stream) {
            return stream.toList();
        }

        public static String name(Object shape) {
            return shape instanceof Circle circle ? "circle " + circle.radius() : String.valueOf(shape);
        }
    }

    private static final int[] ARRAY = {1};

    private final ClassLoader lowered = new LoweredClasses();

    @Test
    void records_are_equal_hashed_and_shown_as_before() throws Exception {
        List<Object[]> rows = new ArrayList<>();
        Object[] ordinary = {true, (byte) 1, (short) 2, 'c', 3, 4L, 5.5f, 6.5, "text", ARRAY, List.of("a")};
        rows.add(ordinary);
        Object[] others = {
            false, (byte) -1, (short) -2, 'd', -3, -4L, Float.NaN, -0.0, null, new int[] {1}, new ArrayList<>()
        };
        for (int i = 0; i < ordinary.length; i++) {
            Object[] row = ordinary.clone();
            row[i] = others[i];
            rows.add(row);
        }
        for (Object[] row : rows) {
            Object[] zeros = row.clone();
            zeros[6] = 0.0f;
            zeros[7] = 0.0;
            assertThat(make(lowered, Everything.class, row))
                    .hasToString(original(row).toString());
            assertThat(make(lowered, Everything.class, row)).hasSameHashCodeAs(original(row));
            for (Object[] other : List.of(ordinary, others, zeros, row.clone())) {
                assertThat(make(lowered, Everything.class, row).equals(make(lowered, Everything.class, other)))
                        .as("%s and %s", Arrays.toString(row), Arrays.toString(other))
                        .isEqualTo(original(row).equals(original(other)));
            }
        }
        assertThat(original(ordinary)).isNotEqualTo(make(lowered, Everything.class, ordinary));
        assertThat(make(lowered, Everything.class, ordinary)).isNotEqualTo(null);
    }

    @Test
    void a_record_without_components_is_one_too() throws Exception {
        Object nothing = make(lowered, Nothing.class);
        assertThat(nothing).isEqualTo(make(lowered, Nothing.class)).hasSameHashCodeAs(new Nothing());
        assertThat(nothing).hasToString("Nothing[]");
    }

    @Test
    @SuppressWarnings("unchecked")
    void generic_records_keep_their_constructors_and_interfaces() throws Exception {
        Object pair = make(lowered, Pair.class, "a", 1);
        assertThat((Comparable<Object>) pair).isLessThan((Comparable<Object>) make(lowered, Pair.class, "b", 1));
        assertThat(pair.getClass().getGenericSuperclass()).isEqualTo(Object.class);
        assertThat(pair.getClass().getGenericInterfaces()[0].getTypeName()).contains("Comparable<");
        assertThatExceptionOfType(ReflectiveOperationException.class)
                .isThrownBy(() -> make(lowered, Pair.class, null, 1))
                .withRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void no_record_and_nothing_sealed_is_left() throws Exception {
        for (Class<?> type : List.of(Everything.class, Circle.class, Shape.class)) {
            Class<?> loaded = lowered.loadClass(type.getName());
            assertThat(loaded.isRecord()).isFalse();
            assertThat(loaded.isSealed()).isFalse();
            assertThat(ByteBuffer.wrap(LoweredClasses.bytes(type.getName())).getShort(6))
                    .isEqualTo((short) 55);
        }
    }

    @Test
    void code_that_uses_them_runs() throws Exception {
        Class<?> program = lowered.loadClass(Program.class.getName());
        assertThat(program.getMethod("name", Object.class).invoke(null, make(lowered, Circle.class, 2.0)))
                .isEqualTo("circle 2.0");
        assertThat(program.getMethod("name", Object.class).invoke(null, make(lowered, Square.class, 2.0)))
                .isEqualTo("a square of 2.0");
    }

    @Test
    void a_stream_becomes_a_list_that_may_have_nulls_and_is_not_changed() throws Exception {
        Class<?> program = lowered.loadClass(Program.class.getName());
        @SuppressWarnings("unchecked")
        List<Object> list =
                (List<Object>) program.getMethod("list", Stream.class).invoke(null, Stream.of("a", null));
        assertThat(list).containsExactly("a", null);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> list.set(0, "b"));
    }

    private Object original(Object... values) throws ReflectiveOperationException {
        return make(getClass().getClassLoader(), Everything.class, values);
    }

    private static Object make(ClassLoader loader, Class<?> type, Object... values)
            throws ReflectiveOperationException {
        Constructor<?> constructor = loader.loadClass(type.getName()).getDeclaredConstructors()[0];
        return constructor.newInstance(values);
    }

    /** This test and the classes within it, lowered. */
    private static final class LoweredClasses extends ClassLoader {

        LoweredClasses() {
            super(LoweringTest.class.getClassLoader());
        }

        static byte[] bytes(String name) {
            try (InputStream in =
                    LoweringTest.class.getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) {
                return LowerClassFiles.lower(in.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith(LoweringTest.class.getName())) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                byte[] bytes = bytes(name);
                return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
            }
        }
    }
}
