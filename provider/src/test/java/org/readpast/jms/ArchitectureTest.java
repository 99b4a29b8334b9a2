package org.readpast.jms;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** The structure that docs/architecture.md describes: who may import whom, how large a package may be, and who may know each other. */
@AnalyzeClasses(packages = "org.readpast.jms", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "org.readpast.jms";

    private static final long MOST_CLASSES = 25;
    private static final int LARGEST_CIRCLE = 3;

    @ArchTest
    static final ArchRule arrows_point_one_way = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("jndi")
            .definedBy(ROOT + ".jndi")
            .layer("root")
            .definedBy(ROOT)
            .layer("jms")
            .definedBy(ROOT + ".jms")
            .layer("engine")
            .definedBy(ROOT + ".engine..")
            .layer("message")
            .definedBy(ROOT + ".message")
            .layer("errors")
            .definedBy(ROOT + ".errors")
            .layer("store")
            .definedBy(ROOT + ".store")
            .layer("store.jdbc")
            .definedBy(ROOT + ".store.jdbc..")
            .layer("codec")
            .definedBy(ROOT + ".codec")
            .layer("selector")
            .definedBy(ROOT + ".selector")
            .layer("destination")
            .definedBy(ROOT + ".destination")
            .layer("config")
            .definedBy(ROOT + ".config")
            .layer("threads")
            .definedBy(ROOT + ".threads")
            .whereLayer("jndi")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("root")
            .mayOnlyBeAccessedByLayers("jndi")
            .whereLayer("jms")
            .mayOnlyBeAccessedByLayers("root")
            .whereLayer("engine")
            .mayOnlyBeAccessedByLayers("jms", "root")
            .whereLayer("message")
            .mayOnlyBeAccessedByLayers("jms", "root")
            .whereLayer("errors")
            .mayOnlyBeAccessedByLayers("engine", "jms", "root")
            .whereLayer("store")
            .mayOnlyBeAccessedByLayers("store.jdbc", "engine", "errors", "root")
            .whereLayer("store.jdbc")
            .mayOnlyBeAccessedByLayers("root")
            .whereLayer("codec")
            .mayOnlyBeAccessedByLayers(
                    "message", "store", "store.jdbc", "engine", "jms", "destination", "errors", "root", "jndi")
            .whereLayer("selector")
            .mayOnlyBeAccessedByLayers("store", "store.jdbc", "engine", "jms")
            .whereLayer("destination")
            .mayOnlyBeAccessedByLayers("message", "store.jdbc", "engine", "jms", "root", "jndi")
            .whereLayer("config")
            .mayOnlyBeAccessedByLayers("destination", "engine", "jms", "root", "jndi")
            .whereLayer("threads")
            .mayOnlyBeAccessedByLayers("destination", "engine", "jms", "store.jdbc", "root", "jndi");

    @ArchTest
    static final ArchRule packages_have_no_cycles =
            slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_engine_never_sees_a_message = noClasses()
            .that()
            .resideInAPackage(ROOT + ".engine..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                    "jakarta\\.jms\\.(Message|TextMessage|BytesMessage|MapMessage|StreamMessage|ObjectMessage)");

    @ArchTest
    static final ArchRule threads_are_born_in_one_place = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".threads")
            .should()
            .callConstructorWhere(target(owner(assignableTo(Thread.class))));

    @ArchTest
    static final ArchRule loggers_belong_to_no_application = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".threads")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(LoggerFactory.class);

    @ArchTest
    static void packages_are_small(JavaClasses classes) {
        Map<String, Long> sizes = classes.stream()
                .filter(known ->
                        !known.getName().contains("$") && !known.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(sizes).allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(MOST_CLASSES));
    }

    /** A class counts together with the classes within it, and a sealed class with those that it permits. */
    @ArchTest
    static void few_classes_know_each_other_in_a_circle(JavaClasses classes) {
        Map<String, Set<String>> knows = new TreeMap<>();
        for (JavaClass from : classes) {
            for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                if (dependency.getTargetClass().getPackageName().startsWith(ROOT)) {
                    knows.computeIfAbsent(family(from), name -> new TreeSet<>())
                            .add(family(dependency.getTargetClass()));
                }
            }
        }
        Map<String, Set<String>> reaches = new TreeMap<>();
        knows.keySet().forEach(from -> reaches.put(from, reachable(from, knows)));
        assertThat(knows.keySet()).allSatisfy(one -> {
            Set<String> circle = new TreeSet<>(reaches.get(one));
            circle.removeIf(other -> !reaches.getOrDefault(other, Set.of()).contains(one));
            circle.add(one);
            assertThat(circle).hasSizeLessThanOrEqualTo(LARGEST_CIRCLE);
        });
    }

    private static String family(JavaClass known) {
        Class<?> outermost = known.getBaseComponentType().reflect();
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        while (outermost.getSuperclass() != null && outermost.getSuperclass().isSealed()) {
            outermost = outermost.getSuperclass();
        }
        return outermost.getName();
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> knows) {
        Set<String> found = new TreeSet<>();
        Deque<String> left = new ArrayDeque<>(Set.of(from));
        while (!left.isEmpty()) {
            for (String next : knows.getOrDefault(left.remove(), Set.of())) {
                if (found.add(next)) {
                    left.add(next);
                }
            }
        }
        return found;
    }
}
