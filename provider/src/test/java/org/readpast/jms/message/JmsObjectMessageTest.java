package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JmsObjectMessageTest {

    record Line(String article, int count) implements Serializable {}

    enum State {
        NEW,
        PAID
    }

    @SuppressWarnings("unused") // its fields are compared by reflection
    static final class Order implements Serializable {
        private static final long serialVersionUID = 1L;

        private final ArrayList<Line> lines = new ArrayList<>();
        private final HashMap<String, BigDecimal> prices = new HashMap<>();
        private final Set<State> states = new HashSet<>(List.of(State.PAID));
        private final LocalDate day = LocalDate.of(2026, 11, 21);
        private final int[][] grid = {{1}, {2, 3}};
        private final Line[] array = {new Line("b", 2)};
        private final List<String> immutable = List.of("x", "y");
        private final Map<String, Object> map = Map.of("k", 1L);
    }

    private static final ObjectTrust OURS = ObjectTrust.parse("org.readpast.jms.message", ObjectLimits.DEFAULTS);

    private static byte[] serialize(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static JmsObjectMessage received(Object object, ObjectTrust trust) throws IOException {
        return new JmsObjectMessage(serialize(object), trust);
    }

    @Test
    void it_holds_a_snapshot_and_gives_copies() throws JMSException {
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        JmsObjectMessage message = new JmsObjectMessage(list);
        list.add("b");
        assertThat(message.getObject()).isEqualTo(List.of("a")).isNotSameAs(message.getObject());
    }

    @Test
    void a_whole_object_is_read_when_its_package_is_trusted() throws JMSException, IOException {
        Order order = new Order();
        order.lines.add(new Line("a", 1));
        order.prices.put("a", BigDecimal.TEN);
        Order read = received(order, OURS).getBody(Order.class);
        assertThat(read).usingRecursiveComparison().isEqualTo(order);
        assertThat(received(order, ObjectTrust.EVERYTHING).getBody(Order.class))
                .usingRecursiveComparison()
                .isEqualTo(order);
    }

    @Test
    void what_is_not_trusted_is_refused_by_name_and_the_way_out_told() throws IOException {
        JmsObjectMessage message = received(new Line("a", 1), ObjectTrust.parse("com.acme", ObjectLimits.DEFAULTS));
        assertThatThrownBy(message::getObject)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining(Line.class.getName())
                .hasMessageContaining("trustedPackages");
        assertThatThrownBy(() -> received(State.PAID, ObjectTrust.VALUES).getObject())
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining(State.class.getName());
        assertThatThrownBy(() -> received(new Line[1], ObjectTrust.VALUES).getObject())
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void what_is_not_trusted_is_refused_within_what_is() throws IOException {
        ArrayList<Object> list = new ArrayList<>(List.of(new Line("a", 1)));
        assertThatThrownBy(() -> received(list, ObjectTrust.parse("com.acme", ObjectLimits.DEFAULTS))
                        .getObject())
                .hasMessageContaining(Line.class.getName());
        assertThatThrownBy(() -> received(new Line[0], ObjectTrust.parse("com.acme", ObjectLimits.DEFAULTS))
                        .getObject())
                .hasMessageContaining(Line.class.getName());
    }

    @Test
    void a_class_that_is_not_trusted_is_not_even_looked_for() throws IOException {
        List<String> asked = new ArrayList<>();
        ClassLoader watching = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                asked.add(name);
                return super.loadClass(name, resolve);
            }
        };
        JmsObjectMessage message = received(new Line("a", 1), ObjectTrust.parse("com.acme", ObjectLimits.DEFAULTS));
        withContext(watching, () -> assertThatThrownBy(message::getObject).isInstanceOf(JMSException.class));
        assertThat(asked).doesNotContain(Line.class.getName());
    }

    @Test
    void classes_come_from_the_context_class_loader() throws Exception {
        URL classes = getClass().getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader other = new URLClassLoader(new URL[] {classes}, null)) {
            JmsObjectMessage message = received(State.PAID, OURS);
            withContext(
                    other,
                    () -> assertThat(message.getObject().getClass().getClassLoader())
                            .isSameAs(other));
            assertThat(message.getObject()).isSameAs(State.PAID);
        }
    }

    private interface Action {
        void run() throws JMSException;
    }

    private static void withContext(ClassLoader loader, Action action) throws AssertionError {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            action.run();
        } catch (JMSException e) {
            throw new AssertionError(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void a_short_message_cannot_ask_for_a_huge_array() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        byte[] small = serialize(new long[0]);
        data.write(small, 0, small.length - Integer.BYTES);
        data.writeInt(Integer.MAX_VALUE);
        JmsObjectMessage message = new JmsObjectMessage(bytes.toByteArray(), ObjectTrust.EVERYTHING);
        assertThatThrownBy(message::getObject).isInstanceOf(MessageFormatException.class);
    }

    @Test
    void large_tables_of_the_library_are_within_the_bound() throws JMSException, IOException {
        HashMap<Integer, Boolean> map = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            map.put(i, true);
        }
        assertThat(received(map, OURS).getObject()).isEqualTo(map);
        HashMap<Integer, Boolean> nearlyEmpty = new HashMap<>(1_000_000);
        nearlyEmpty.put(1, true);
        assertThat(received(nearlyEmpty, OURS).getObject()).isEqualTo(nearlyEmpty);
    }

    @Test
    void bytes_that_are_no_object_are_a_format_error() {
        for (byte[] bytes : new byte[][] {
            {}, {1, 2, 3, 4, 5}, {(byte) 0xac, (byte) 0xed, 0, 5}, {(byte) 0xac, (byte) 0xed, 0, 5, 0x7f},
        }) {
            JmsObjectMessage message = new JmsObjectMessage(bytes, ObjectTrust.EVERYTHING);
            assertThatThrownBy(message::getObject)
                    .isInstanceOf(MessageFormatException.class)
                    .hasCauseInstanceOf(IOException.class);
        }
        assertThat(ObjectStreamConstants.STREAM_MAGIC).isEqualTo((short) 0xaced);
    }

    @Test
    void what_cannot_be_serialized_is_refused_at_once() {
        ArrayList<Object> list = new ArrayList<>(List.of(new Object()));
        JmsObjectMessage message = new JmsObjectMessage();
        assertThatThrownBy(() -> message.setObject(list))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("java.lang.Object");
    }

    @SuppressWarnings("JavaUtilDate") // it is sent all the same
    static Stream<Object> commonValues() {
        Map<String, Object> nested = new LinkedHashMap<>();
        nested.put("order", new HashMap<>(Map.of("lines", new ArrayList<>(List.of("a", 1L, 2.5, 'c', true)))));
        nested.put("none", null);
        return Stream.of(
                "text",
                1,
                2L,
                (short) 3,
                (byte) 4,
                1.5f,
                2.5,
                'c',
                true,
                new BigDecimal("1.50"),
                BigInteger.TEN,
                UUID.randomUUID(),
                new Date(5),
                LocalDate.EPOCH,
                LocalDateTime.MIN,
                Instant.EPOCH,
                Duration.ofDays(1),
                ZonedDateTime.of(LocalDateTime.MIN, ZoneId.of("Europe/Berlin")),
                OffsetDateTime.MAX,
                Month.MAY,
                new ArrayList<>(List.of("a")),
                new LinkedList<>(List.of("a")),
                List.of(1, 2, 3),
                Set.of("a", "b", "c"),
                Map.of("a", List.of(1), "b", List.of(2)),
                Collections.unmodifiableList(new ArrayList<>(List.of("a"))),
                new TreeMap<>(Map.of("a", 1)),
                new TreeSet<>(Set.of("a")),
                new LinkedHashSet<>(Set.of("a")),
                Collections.emptyList(),
                Arrays.asList("a", "b"),
                nested,
                new int[][] {{1}, {2, 3}},
                new String[] {"a"},
                new Object[] {"a", 1},
                new byte[] {1});
    }

    @ParameterizedTest
    @MethodSource("commonValues")
    void values_of_the_jdk_that_are_commonly_sent_are_trusted(Object value) throws JMSException, IOException {
        assertThat(received(value, ObjectTrust.VALUES).getObject()).isEqualTo(value);
    }

    @Test
    void by_default_an_element_is_judged_as_the_whole_is() throws IOException {
        for (Object container : new Object[] {
            new ArrayList<>(List.of(State.PAID)),
            new HashMap<>(Map.of("k", new Line("a", 1))),
            Map.of("k", List.of(State.NEW)),
            new Object[] {new Line[0]},
            new TreeMap<>(new Unknown())
        }) {
            assertThatThrownBy(() -> received(container, ObjectTrust.VALUES).getObject())
                    .isInstanceOf(MessageFormatException.class)
                    .hasMessageContaining("is not trusted");
        }
    }

    private static final class Unknown implements Comparator<Object>, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public int compare(Object left, Object right) {
            return String.valueOf(left).compareTo(String.valueOf(right));
        }
    }

    private static Object lists(int depth) {
        ArrayList<Object> outermost = new ArrayList<>();
        ArrayList<Object> each = outermost;
        for (int i = 1; i < depth; i++) {
            ArrayList<Object> inner = new ArrayList<>();
            each.add(inner);
            each = inner;
        }
        return outermost;
    }

    /** What overflows the stack of whoever reads it; and of whoever writes it the usual way too, so the bytes are written by hand. */
    private static byte[] deepLists(int depth) throws IOException {
        byte[] empty = serialize(new ArrayList<>());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        // All but its size, its capacity and its end.
        data.write(empty, 0, empty.length - 4 - 6 - 1);
        for (int i = 1; i < depth; i++) {
            writeSize(data, 1);
            data.writeByte(ObjectStreamConstants.TC_OBJECT);
            data.writeByte(ObjectStreamConstants.TC_REFERENCE);
            data.writeInt(ObjectStreamConstants.baseWireHandle);
        }
        writeSize(data, 0);
        for (int i = 0; i < depth; i++) {
            data.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        }
        return bytes.toByteArray();
    }

    private static void writeSize(DataOutputStream data, int size) throws IOException {
        data.writeInt(size);
        data.writeByte(ObjectStreamConstants.TC_BLOCKDATA);
        data.writeByte(Integer.BYTES);
        data.writeInt(size);
    }

    @Test
    void nesting_that_overflows_the_stack_is_refused() throws IOException {
        assertThat(deepLists(3)).isEqualTo(serialize(lists(3)));
        byte[] bytes = deepLists(20_000);
        for (ObjectTrust trust : new ObjectTrust[] {ObjectTrust.VALUES, OURS, ObjectTrust.EVERYTHING}) {
            assertThatThrownBy(() -> new JmsObjectMessage(bytes, trust).getObject())
                    .isInstanceOf(MessageFormatException.class);
        }
        assertThatThrownBy(() -> new JmsObjectMessage(bytes, ObjectTrust.VALUES).getObject())
                .hasMessageContaining("objectDepth")
                .hasMessageContaining("200");
    }

    @Test
    void nesting_within_the_limit_is_read() throws JMSException, IOException {
        assertThat(received(lists(200), ObjectTrust.VALUES).getObject()).isEqualTo(lists(200));
        assertThatThrownBy(() -> received(lists(201), ObjectTrust.VALUES).getObject())
                .isInstanceOf(MessageFormatException.class);
        ObjectTrust deeper = ObjectTrust.parse("", new ObjectLimits(1_000_000, 300, 1_000, 1_000));
        assertThat(received(lists(201), deeper).getObject()).isEqualTo(lists(201));
    }

    @Test
    void object_that_overflows_the_stack_as_it_is_sent_is_an_error_of_the_message() {
        assertThatThrownBy(() -> new JmsObjectMessage((Serializable) lists(100_000)))
                .isInstanceOf(MessageFormatException.class);
    }

    /** What the JVM has no memory for, whichever way it goes. */
    private static final class Greedy implements Serializable {
        private static final long serialVersionUID = 1L;

        private final boolean isSent;

        Greedy(boolean isSent) {
            this.isSent = isSent;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            if (!isSent) {
                throw new OutOfMemoryError("of the test");
            }
        }

        private void readObject(ObjectInputStream in) {
            throw new OutOfMemoryError("of the test");
        }
    }

    @Test
    void object_that_there_is_no_memory_for_is_an_error_of_the_message() throws JMSException, IOException {
        assertThatThrownBy(() -> new JmsObjectMessage(new Greedy(false)))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("memory");
        JmsObjectMessage message = received(new Greedy(true), OURS);
        assertThatThrownBy(message::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("memory");
        assertThat(message.isBodyAssignableTo(Greedy.class)).isFalse();
    }

    /** Each set is in two others, so that 1,600 bytes make a hash table look at 2 to the power of 100 of them. */
    @Test
    void sets_that_share_their_elements_over_and_over_are_refused() throws IOException {
        Object root = sharing(100);
        byte[] bytes = serialize(root);
        assertThat(bytes).hasSizeLessThan(10_000);
        for (ObjectTrust trust : new ObjectTrust[] {ObjectTrust.VALUES, OURS}) {
            assertThatThrownBy(() -> new JmsObjectMessage(bytes, trust).getObject())
                    .isInstanceOf(MessageFormatException.class)
                    .hasMessageContaining("objectReferences");
        }
    }

    /** Filled from the outside to the inside, so that each is empty, and its hash code cheap, when it is put into others. */
    private static Object sharing(int depth) {
        HashSet<Object> root = new HashSet<>();
        HashSet<Object> left = root;
        HashSet<Object> right = new HashSet<>();
        for (int i = 0; i < depth; i++) {
            HashSet<Object> nextLeft = new HashSet<>(Set.of("one is not the other"));
            HashSet<Object> nextRight = new HashSet<>();
            left.add(nextLeft);
            left.add(nextRight);
            right.add(nextLeft);
            right.add(nextRight);
            left = nextLeft;
            right = nextRight;
        }
        return root;
    }

    @Test
    void objects_that_are_shared_and_not_hashed_are_read() throws JMSException, IOException {
        ArrayList<Object> shared = new ArrayList<>(List.of("x"));
        for (int i = 0; i < 50; i++) {
            shared = new ArrayList<>(Collections.nCopies(2, shared));
        }
        assertThat(received(shared, ObjectTrust.VALUES).getObject()).isInstanceOf(ArrayList.class);
        HashMap<String, Object> values = new HashMap<>(Map.of("value", shared));
        assertThat(received(values, ObjectTrust.VALUES).getObject()).isInstanceOf(HashMap.class);
    }

    @Test
    void arrays_that_a_few_bytes_ask_for_are_refused_together() throws IOException {
        int each = 50_000;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        byte[] empty = serialize(new Object[0]);
        data.write(empty, 0, empty.length - Integer.BYTES);
        data.writeInt(each);
        for (int i = 0; i < 5_000; i++) {
            data.writeByte(ObjectStreamConstants.TC_ARRAY);
            data.writeByte(ObjectStreamConstants.TC_REFERENCE);
            data.writeInt(ObjectStreamConstants.baseWireHandle);
            data.writeInt(each);
        }
        for (ObjectTrust trust : new ObjectTrust[] {
            OURS, ObjectTrust.parse("*", new ObjectLimits(1_000_000, 10_000, 1_000_000, 1_000_000))
        }) {
            assertThatThrownBy(() -> new JmsObjectMessage(bytes.toByteArray(), trust).getObject())
                    .isInstanceOf(MessageFormatException.class);
        }
    }

    @Test
    void each_limit_is_named_by_its_option() throws IOException {
        ObjectLimits wide = ObjectLimits.DEFAULTS;
        byte[] bytes = serialize(new ArrayList<>(List.of(new int[100], "a", "b")));
        assertRefused(
                bytes, new ObjectLimits(50, wide.depth(), wide.references(), wide.arrayElements()), "objectBytes");
        assertRefused(bytes, new ObjectLimits(wide.bytes(), 1, wide.references(), wide.arrayElements()), "objectDepth");
        assertRefused(bytes, new ObjectLimits(wide.bytes(), wide.depth(), 3, wide.arrayElements()), "objectReferences");
        assertRefused(
                bytes, new ObjectLimits(wide.bytes(), wide.depth(), wide.references(), 99), "objectArrayElements");
    }

    private static void assertRefused(byte[] bytes, ObjectLimits limits, String option) {
        JmsObjectMessage message = new JmsObjectMessage(bytes, ObjectTrust.parse("", limits));
        assertThatThrownBy(message::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining(option);
        assertThatThrownBy(() -> message.getBody(Serializable.class)).isInstanceOf(MessageFormatException.class);
    }

    @Test
    void the_body_can_be_asked_for_by_any_of_its_types() throws JMSException, IOException {
        JmsObjectMessage message = received(new ArrayList<>(List.of(1)), OURS);
        assertThat(message.isBodyAssignableTo(List.class)).isTrue();
        assertThat(message.isBodyAssignableTo(Serializable.class)).isTrue();
        assertThat(message.isBodyAssignableTo(Map.class)).isFalse();
        assertThat((Object) message.getBody(List.class)).isEqualTo(List.of(1));
        assertThatThrownBy(() -> message.getBody(Map.class)).isInstanceOf(MessageFormatException.class);

        JmsObjectMessage closed = received(State.PAID, ObjectTrust.VALUES);
        assertThat(closed.isBodyAssignableTo(Serializable.class)).isFalse();
        assertThatThrownBy(() -> closed.getBody(Serializable.class)).isInstanceOf(MessageFormatException.class);

        JmsObjectMessage empty = new JmsObjectMessage();
        assertThat(empty.getObject()).isNull();
        assertThat(empty.isBodyAssignableTo(Map.class)).isTrue();
        assertThat((Object) empty.getBody(Map.class)).isNull();
    }

    @Test
    void what_the_application_sets_itself_after_clearBody_is_trusted() throws JMSException, IOException {
        JmsObjectMessage message = received("text", ObjectTrust.VALUES);
        message.clearBody();
        assertThat(message.getObject()).isNull();
        message.setObject(new Line("a", 1));
        assertThat(message.getObject()).isEqualTo(new Line("a", 1));
    }
}
