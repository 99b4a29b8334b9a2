package org.readpast.console;

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

/** Who may import whom, the compiled templates too, and how large a package may be. */
@AnalyzeClasses(packages = "org.readpast.console", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "org.readpast.console";
    private static final long MOST_CLASSES = 25;

    @ArchTest
    static final ArchRule arrows_point_one_way = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("console")
            .definedBy(ROOT)
            .layer("pages")
            .definedBy(ROOT + ".pages")
            .layer("session")
            .definedBy(ROOT + ".session")
            .layer("view")
            .definedBy(ROOT + ".view")
            .layer("http")
            .definedBy(ROOT + ".http")
            .whereLayer("console")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("pages")
            .mayOnlyBeAccessedByLayers("console")
            .whereLayer("session")
            .mayOnlyBeAccessedByLayers("pages", "console")
            .whereLayer("view")
            .mayOnlyBeAccessedByLayers("session", "pages", "console")
            .whereLayer("http")
            .mayOnlyBeAccessedByLayers("pages", "console");

    @ArchTest
    static void packages_are_small(JavaClasses classes) {
        Map<String, Long> sizes = classes.stream()
                .filter(known ->
                        !known.getName().contains("$") && !known.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(sizes).hasSize(5).allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(MOST_CLASSES));
    }
}
