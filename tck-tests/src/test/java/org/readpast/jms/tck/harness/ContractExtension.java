package org.readpast.jms.tck.harness;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/** Runs a {@link ContractTest} on each target of the run. */
final class ContractExtension implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        List<Optional<Object>> elements = elements(method);
        Class<?> cases = context.getRequiredTestClass();
        Optional<String> options = options(cases);
        return Targets.requested().stream()
                .filter(id -> options.isEmpty() || id != TargetId.ARTEMIS)
                .limit(isSameOnAll(cases, method) ? 1 : Long.MAX_VALUE)
                .flatMap(id -> elements.stream().map(element -> new OnTarget(id, method.getName(), element)));
    }

    /** Whether the cases of a method run on one target alone. */
    private static boolean isSameOnAll(Class<?> cases, Method method) {
        CasesFrom source = method.getAnnotation(CasesFrom.class);
        boolean isMatrix = source != null && source.matrix();
        return (isMatrix || isOfTheClient(cases)) && !Targets.hasAllMatrices();
    }

    private static boolean isOfTheClient(Class<?> cases) {
        return cases != null
                && (cases.isAnnotationPresent(OfTheClient.class) || isOfTheClient(cases.getEnclosingClass()));
    }

    private static Optional<String> options(Class<?> cases) {
        return Optional.ofNullable(cases.getAnnotation(ReadpastOptions.class)).map(ReadpastOptions::value);
    }

    private static Target target(TargetId id, Class<?> cases) {
        Target target = Targets.get(id);
        return options(cases)
                .<Target>map(options -> new ConfiguredTarget((ReadpastTarget) target, options))
                .orElse(target);
    }

    /** What {@link CasesFrom} lists for the method; one empty element where it lists nothing. */
    private static List<Optional<Object>> elements(Method method) {
        CasesFrom source = method.getAnnotation(CasesFrom.class);
        if (source == null) {
            return List.of(Optional.empty());
        }
        Method lister = ReflectionSupport.findMethod(method.getDeclaringClass(), source.value())
                .orElseThrow(() -> new IllegalStateException(
                        method + " takes its cases from '" + source.value() + "', which its class does not have"));
        return ((List<?>) ReflectionSupport.invokeMethod(lister, null))
                .stream().map(Optional::<Object>of).toList();
    }

    private record OnTarget(TargetId id, String name, Optional<Object> element)
            implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return name + element.map(cell -> " (" + cell + ")").orElse("") + " [" + id.label() + "]";
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new Case(id, element));
        }
    }

    /** One case on one target: gives it its fixture, bounds it in time, closes what it opened. */
    private static final class Case implements ParameterResolver, InvocationInterceptor {
        /** What ends late on a busy machine is no failure; what hangs is. */
        private static final Duration PATIENCE = Duration.ofMinutes(3);

        private final TargetId id;
        private final Optional<Object> element;
        private Jms jms;

        Case(TargetId id, Optional<Object> element) {
            this.id = id;
            this.element = element;
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Jms.class || element.isPresent();
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            if (parameter.getParameter().getType() != Jms.class) {
                return element.orElseThrow();
            }
            if (jms == null) {
                Method method = context.getRequiredTestMethod();
                jms = new Jms(
                        target(id, context.getRequiredTestClass()),
                        method.getName(),
                        deviation(method).isPresent());
            }
            return jms;
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            Optional<Deviation> deviation = deviation(method.getExecutable());
            if (deviation.filter(Deviation::nowAndThen).isPresent()) {
                invocation.skip();
                throw new TestAbortedException(
                        "not on " + id.label() + ": " + deviation.get().why());
            }
            Throwable failure = Bounded.run("case", PATIENCE, invocation::proceed);
            if (jms != null) {
                Throwable left = Bounded.run("clean-up", PATIENCE, jms::close);
                failure = failure == null ? left : failure;
            }
            if (deviation.isPresent()) {
                expectDeviation(deviation.get(), failure);
            } else if (failure != null) {
                throw onTarget(failure);
            }
        }

        /** The reports name the method, not the target: so the failure must. */
        private AssertionError onTarget(Throwable failure) {
            AssertionError named = new AssertionError("on " + id.label() + ": " + failure, failure);
            named.setStackTrace(failure.getStackTrace());
            return named;
        }

        private Optional<Deviation> deviation(Method method) {
            return Arrays.stream(method.getAnnotationsByType(Deviation.class))
                    .filter(deviation -> deviation.target() == id)
                    .filter(deviation -> deviation.cases().length == 0
                            || Arrays.asList(deviation.cases())
                                    .contains(element.map(Object::toString).orElse("")))
                    .findFirst();
        }

        private static void expectDeviation(Deviation deviation, Throwable failure) {
            if (failure == null) {
                throw new AssertionError("deviation no longer needed: '"
                        + deviation.target().label() + "' was said to break " + deviation.clause() + " ("
                        + deviation.why() + "), and it passes");
            }
        }
    }
}
