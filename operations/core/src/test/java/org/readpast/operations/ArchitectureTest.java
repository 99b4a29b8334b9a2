package org.readpast.operations;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.stream.Collectors;

/** Who may import whom, and how large a package may be. */
@AnalyzeClasses(packages = "org.readpast.operations", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "org.readpast.operations";
    private static final long MOST_CLASSES = 25;

    @ArchTest
    static final ArchRule arrows_point_one_way = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("verdict")
            .definedBy(ROOT + ".verdict")
            .layer("messages")
            .definedBy(ROOT + ".messages")
            .layer("administration")
            .definedBy(ROOT + ".administration")
            .layer("snapshot")
            .definedBy(ROOT + ".snapshot")
            .layer("server")
            .definedBy(ROOT + ".server")
            .layer("database")
            .definedBy(ROOT + ".database")
            .whereLayer("verdict")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("messages")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("administration")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("snapshot")
            .mayOnlyBeAccessedByLayers("verdict", "messages", "administration")
            .whereLayer("server")
            .mayOnlyBeAccessedByLayers("snapshot", "verdict", "administration")
            .whereLayer("database")
            .mayOnlyBeAccessedByLayers("server", "snapshot", "verdict", "messages", "administration");

    @ArchTest
    static void packages_are_small(JavaClasses classes) {
        Map<String, Long> sizes = classes.stream()
                .filter(known ->
                        !known.getName().contains("$") && !known.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(sizes).hasSize(6).allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(MOST_CLASSES));
    }
}
