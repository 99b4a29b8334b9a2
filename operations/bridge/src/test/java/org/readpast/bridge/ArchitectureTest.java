package org.readpast.bridge;

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
@AnalyzeClasses(packages = "org.readpast.bridge", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "org.readpast.bridge";
    private static final long MOST_CLASSES = 25;

    @ArchTest
    static final ArchRule arrows_point_one_way = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("bridge")
            .definedBy(ROOT)
            .layer("ends")
            .definedBy(ROOT + ".ends")
            .layer("batch")
            .definedBy(ROOT + ".batch")
            .whereLayer("bridge")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("ends")
            .mayOnlyBeAccessedByLayers("bridge")
            .whereLayer("batch")
            .mayOnlyBeAccessedByLayers("ends", "bridge");

    @ArchTest
    static void packages_are_small(JavaClasses classes) {
        Map<String, Long> sizes = classes.stream()
                .filter(known ->
                        !known.getName().contains("$") && !known.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(sizes).hasSize(3).allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(MOST_CLASSES));
    }
}
