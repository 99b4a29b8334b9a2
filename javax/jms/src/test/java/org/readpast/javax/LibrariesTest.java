package org.readpast.javax;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The oldest versions of the libraries that the provider has to do with. */
class LibrariesTest {

    /** Spring Boot 2.7 puts these in place of the versions that are ours. */
    @ParameterizedTest
    @CsvSource({"HikariCP.jar, com/zaxxer/hikari/", "slf4j-api.jar, org/slf4j/"})
    void the_libraries_of_its_time_have_all_that_is_called(String jar, String packages) throws Exception {
        Api library = Api.ofJar(Path.of("target", "oldest", jar));
        assertThat(ClassFiles.missing(ClassFiles.read(), library, owner -> owner.startsWith(packages)))
                .isEmpty();
    }
}
