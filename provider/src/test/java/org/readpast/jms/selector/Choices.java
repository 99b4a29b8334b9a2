package org.readpast.jms.selector;

import java.util.ArrayList;
import java.util.List;
import org.quicktheories.QuickTheory;
import org.quicktheories.core.Gen;
import org.quicktheories.core.RandomnessSource;
import org.quicktheories.impl.Constraint;

/**
 * Choices by chance, which can be replayed and shrunk: QuickTheories notes each number that is drawn, and looks for a failing
 * example of smaller numbers. So what is simplest comes first in a list.
 */
public final class Choices {

    /** The seed of a run, where another one than always is wanted; a failure names its seed. */
    private static final String SEED_PROPERTY = "readpast.test.seed";

    private static final long SEED = 20_261_121;

    /** How often a failing example is made smaller: enough to read it, and not for long. */
    private static final int SHRINKS = 1_000;

    private final RandomnessSource source;

    Choices(RandomnessSource source) {
        this.source = source;
    }

    /** Makes things by choices. */
    @FunctionalInterface
    public interface Maker<T> {
        T make(Choices choices);
    }

    /** What a maker makes, as QuickTheories wants it. */
    public static <T> Gen<T> of(Maker<T> maker) {
        return source -> maker.make(new Choices(source));
    }

    /** A property to be held against so many examples. */
    public static QuickTheory theory(int examples) {
        return QuickTheory.qt()
                .withExamples(examples)
                .withFixedSeed(Long.getLong(SEED_PROPERTY, SEED))
                .withShrinkCycles(SHRINKS);
    }

    /** A number from 0 to below the bound. */
    public int below(int bound) {
        return (int) source.next(Constraint.between(0, bound - 1L));
    }

    public boolean flip() {
        return below(2) == 1;
    }

    public <T> T of(List<T> from) {
        return from.get(below(from.size()));
    }

    /** One thing at least, and so many at the most. */
    public <T> List<T> listOf(int most, Maker<T> maker) {
        List<T> list = new ArrayList<>();
        for (int i = below(most); i >= 0; i--) {
            list.add(maker.make(this));
        }
        return list;
    }
}
