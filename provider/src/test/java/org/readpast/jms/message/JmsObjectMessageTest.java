package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

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

    private static final ObjectTrust OURS = ObjectTrust.parse("org.readpast.jms.message");

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
        JmsObjectMessage message = received(new Line("a", 1), ObjectTrust.parse("com.acme"));
        assertThatThrownBy(message::getObject)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining(Line.class.getName())
                .hasMessageContaining("trustedPackages");
        assertThatThrownBy(() -> received("text", ObjectTrust.NOTHING).getObject())
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("java.lang.String");
        assertThatThrownBy(() -> received(new int[1], ObjectTrust.NOTHING).getObject())
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void what_is_not_trusted_is_refused_within_what_is() throws IOException {
        ArrayList<Object> list = new ArrayList<>(List.of(new Line("a", 1)));
        assertThatThrownBy(() -> received(list, ObjectTrust.parse("com.acme")).getObject())
                .hasMessageContaining(Line.class.getName());
        assertThatThrownBy(() ->
                        received(new Line[0], ObjectTrust.parse("com.acme")).getObject())
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
        JmsObjectMessage message = received(new Line("a", 1), ObjectTrust.parse("com.acme"));
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

    @Test
    void the_body_can_be_asked_for_by_any_of_its_types() throws JMSException, IOException {
        JmsObjectMessage message = received(new ArrayList<>(List.of(1)), OURS);
        assertThat(message.isBodyAssignableTo(List.class)).isTrue();
        assertThat(message.isBodyAssignableTo(Serializable.class)).isTrue();
        assertThat(message.isBodyAssignableTo(Map.class)).isFalse();
        assertThat((Object) message.getBody(List.class)).isEqualTo(List.of(1));
        assertThatThrownBy(() -> message.getBody(Map.class)).isInstanceOf(MessageFormatException.class);

        JmsObjectMessage closed = received("text", ObjectTrust.NOTHING);
        assertThat(closed.isBodyAssignableTo(Serializable.class)).isFalse();
        assertThatThrownBy(() -> closed.getBody(Serializable.class)).isInstanceOf(MessageFormatException.class);

        JmsObjectMessage empty = new JmsObjectMessage();
        assertThat(empty.getObject()).isNull();
        assertThat(empty.isBodyAssignableTo(Map.class)).isTrue();
        assertThat((Object) empty.getBody(Map.class)).isNull();
    }

    @Test
    void what_the_application_sets_itself_after_clearBody_is_trusted() throws JMSException, IOException {
        JmsObjectMessage message = received("text", ObjectTrust.NOTHING);
        message.clearBody();
        assertThat(message.getObject()).isNull();
        message.setObject(new Line("a", 1));
        assertThat(message.getObject()).isEqualTo(new Line("a", 1));
    }
}
