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

/** Runs a {@link ContractTest} on each target of the run. */
final class ContractExtension implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        String name = context.getRequiredTestMethod().getName();
        return Targets.requested().stream().map(id -> new OnTarget(id, name));
    }

    private record OnTarget(TargetId id, String name) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return name + " [" + id.label() + "]";
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new Case(id));
        }
    }

    /** One case on one target: gives it its fixture, bounds it in time, closes what it opened. */
    private static final class Case implements ParameterResolver, InvocationInterceptor {
        private static final Duration CLEANUP_PATIENCE = Duration.ofSeconds(30);

        private final TargetId id;
        private Jms jms;

        Case(TargetId id) {
            this.id = id;
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Jms.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            if (jms == null) {
                jms = new Jms(Targets.get(id), context.getRequiredTestMethod().getName());
            }
            return jms;
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            ContractTest test = method.getExecutable().getAnnotation(ContractTest.class);
            Throwable failure = Bounded.run("case", Duration.ofSeconds(test.timeoutSeconds()), invocation::proceed);
            if (jms != null) {
                Throwable left = Bounded.run("clean-up", CLEANUP_PATIENCE, jms::close);
                failure = failure == null ? left : failure;
            }
            Optional<Deviation> deviation = deviation(method.getExecutable());
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
