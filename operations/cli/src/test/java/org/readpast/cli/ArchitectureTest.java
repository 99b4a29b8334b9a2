package org.readpast.cli;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.stream.Collectors;

/** That packages are small, and know each other in one direction. */
@AnalyzeClasses(packages = "org.readpast.cli", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final long MOST_CLASSES = 25;

    @ArchTest
    static final ArchRule packages_have_no_cycles =
            slices().matching("org.readpast.cli.(*)..").should().beFreeOfCycles();

    @ArchTest
    static void packages_are_small(JavaClasses classes) {
        Map<String, Long> sizes = classes.stream()
                .filter(known ->
                        !known.getName().contains("$") && !known.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(sizes).hasSize(7).allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(MOST_CLASSES));
    }
}
