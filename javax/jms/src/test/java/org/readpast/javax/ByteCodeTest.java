package org.readpast.javax;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.jms.Message;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the class files of this edition say, and that Java 11 and the API of JMS 2.0 have all that they call. */
class ByteCodeTest {

    private static final int JAVA = 11;
    private static final int CLASS_FILES_OF_JAVA_11 = 55;

    private static Map<String, byte[]> files;

    @BeforeAll
    static void read() throws Exception {
        files = ClassFiles.read();
        assertThat(files).isNotEmpty();
    }

    @Test
    void nothing_is_left_of_the_other_api() {
        assertThat(files)
                .allSatisfy((path, bytes) -> assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
                        .doesNotContain("jakarta/", "jakarta."));
    }

    @Test
    void no_name_of_the_api_is_where_its_renaming_breaks_the_code() {
        assertThat(files.values().stream().map(NameTraps::in).flatMap(List::stream))
                .as("write them as Queue.class.getName() and the like, which are made where the code runs")
                .isEmpty();
    }

    @Test
    void class_files_are_such_as_java_11_loads() {
        assertThat(files)
                .doesNotContainKey("module-info.class")
                .allSatisfy((path, bytes) ->
                        assertThat((int) ByteBuffer.wrap(bytes).getShort(6)).isEqualTo(CLASS_FILES_OF_JAVA_11));
    }

    @Test
    void java_11_has_all_that_is_called() throws Exception {
        Api java = Api.ofJava(JAVA);
        assertThat(java.has(Member.method("java/lang/String", "strip", "()Ljava/lang/String;")))
                .isTrue();
        assertThat(java.has(Member.method("java/util/stream/Stream", "toList", "()Ljava/util/List;")))
                .isFalse();
        assertThat(missing(java, owner -> isPlatform(owner)))
                .as("what came after Java 11; use in the provider what was there before")
                .isEmpty();
    }

    @Test
    void jms_2_0_has_all_that_is_called() throws Exception {
        Api jms = Api.ofJar(Path.of(Message.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI()));
        assertThat(jms.has(Member.type("javax/jms/JMSContext"))).isTrue();
        assertThat(missing(jms, owner -> owner.startsWith("javax/jms/")))
                .as("what came with Jakarta Messaging 3.1")
                .isEmpty();
    }

    private static boolean isPlatform(String owner) {
        return owner.startsWith("java/")
                || owner.startsWith("org/ietf/")
                || (owner.startsWith("javax/") && !owner.matches("javax/(jms|resource|transaction(?!/xa))/.*"));
    }

    private static Set<String> missing(Api api, Predicate<String> owners) {
        return ClassFiles.missing(files, api, owners);
    }
}
