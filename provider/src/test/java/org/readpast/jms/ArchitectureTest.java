package org.readpast.jms;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows of docs/architecture.md: who may import whom. */
@AnalyzeClasses(packages = "org.readpast.jms", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "org.readpast.jms";

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
            .definedBy(ROOT + ".engine")
            .layer("message")
            .definedBy(ROOT + ".message")
            .layer("errors")
            .definedBy(ROOT + ".errors")
            .layer("store")
            .definedBy(ROOT + ".store")
            .layer("store.jdbc")
            .definedBy(ROOT + ".store.jdbc")
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
            .mayOnlyBeAccessedByLayers("engine", "store.jdbc");

    @ArchTest
    static final ArchRule packages_have_no_cycles =
            slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_engine_never_sees_a_message = noClasses()
            .that()
            .resideInAPackage(ROOT + ".engine")
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
}
