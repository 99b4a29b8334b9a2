package org.readpast.ra;

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
@AnalyzeClasses(packages = "org.readpast.ra", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "org.readpast.ra";
    private static final long MOST_CLASSES = 25;

    @ArchTest
    static final ArchRule arrows_point_one_way = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("configured")
            .definedBy(ROOT)
            .layer("beans")
            .definedBy(ROOT + ".beans")
            .layer("transactions")
            .definedBy(ROOT + ".transactions")
            .layer("database")
            .definedBy(ROOT + ".database")
            .whereLayer("configured")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("beans")
            .mayOnlyBeAccessedByLayers("configured")
            .whereLayer("transactions")
            .mayOnlyBeAccessedByLayers("beans", "configured")
            .whereLayer("database")
            .mayOnlyBeAccessedByLayers("transactions", "beans", "configured");

    @ArchTest
    static void packages_are_small(JavaClasses classes) {
        Map<String, Long> sizes = classes.stream()
                .filter(known ->
                        !known.getName().contains("$") && !known.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(sizes).hasSize(4).allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(MOST_CLASSES));
    }
}
