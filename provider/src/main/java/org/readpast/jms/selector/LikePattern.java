package org.readpast.jms.selector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The pattern of a LIKE (§3.8.1.1). Characters are Unicode code points: {@code _} stands for one, also where Java needs two
 * chars for it. Immutable and thread-safe.
 *
 * <p>Who sends a message chooses the value, so the work grows with its length and no faster: what is between two {@code %} is
 * looked for from left to right, where it is found first, and each {@link Piece} passes over a character once.
 */
public final class LikePattern {

    private static final int ANY_ONE = -1;
    private static final int ANY_RUN = -2;

    private final String text;
    private final String escape;

    /** What stands between the {@code %}; one alone where there is none, otherwise the first and the last may be empty. */
    private final List<Piece> pieces;

    private LikePattern(String text, String escape, List<Piece> pieces) {
        this.text = text;
        this.escape = escape;
        this.pieces = pieces;
    }

    /**
     * Compiles a pattern. The escape character makes the one behind it stand for itself, whichever that is.
     *
     * @param escape one character, or null
     * @return null where the escape character stands last, with nothing to escape
     */
    static LikePattern compile(String text, String escape) {
        int[] characters = text.codePoints().toArray();
        int escaping = escape == null ? ANY_ONE : escape.codePointAt(0);
        int[] elements = new int[characters.length];
        int length = 0;
        for (int i = 0; i < characters.length; i++) {
            int element = characters[i];
            if (element == escaping) {
                i++;
                if (i == characters.length) {
                    return null;
                }
                element = characters[i];
            } else if (element == '%') {
                element = ANY_RUN;
            } else if (element == '_') {
                element = ANY_ONE;
            }
            elements[length++] = element;
        }
        return new LikePattern(text, escape, pieces(Arrays.copyOf(elements, length)));
    }

    private static List<Piece> pieces(int[] elements) {
        List<Piece> pieces = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= elements.length; i++) {
            if (i == elements.length || elements[i] == ANY_RUN) {
                boolean first = pieces.isEmpty();
                if (first || i == elements.length || i > start) {
                    pieces.add(new Piece(Arrays.copyOfRange(elements, start, i)));
                }
                start = i + 1;
            }
        }
        return List.copyOf(pieces);
    }

    /** Whether the whole value matches. */
    boolean matches(String value) {
        return matches(value.codePoints().toArray(), new Steps());
    }

    /** How much was done, in comparisons of characters, or of up to 64 of a pattern at once. */
    static final class Steps {
        private long count;

        long count() {
            return count;
        }
    }

    /** The first piece stands at the beginning and the last at the end; the others where they are found first behind each other. */
    boolean matches(int[] value, Steps steps) {
        Piece first = pieces.get(0);
        if (pieces.size() == 1) {
            return value.length == first.length() && first.standsAt(0, value, steps);
        }
        Piece last = pieces.get(pieces.size() - 1);
        int end = value.length - last.length();
        if (first.length() > end || !first.standsAt(0, value, steps) || !last.standsAt(end, value, steps)) {
            return false;
        }
        int at = first.length();
        for (int i = 1; i < pieces.size() - 1; i++) {
            at = pieces.get(i).endOfFirst(value, at, end, steps);
            if (at < 0) {
                return false;
            }
        }
        return true;
    }

    /** A run of characters, of which {@code _} is any one. */
    private static final class Piece {

        private final int[] elements;

        /** Of a piece without {@code _}: for each of its beginnings, how long the longest end of it is that the piece begins with. */
        private final int[] borders;

        /** Of a piece with {@code _}, 64 elements each; else empty. */
        private final List<Block> blocks;

        Piece(int[] elements) {
            this.elements = elements;
            boolean plain = Arrays.stream(elements).noneMatch(element -> element == ANY_ONE);
            this.borders = plain ? borders(elements) : null;
            this.blocks = plain ? List.of() : Block.of(elements);
        }

        int length() {
            return elements.length;
        }

        boolean standsAt(int at, int[] value, Steps steps) {
            for (int i = 0; i < elements.length; i++) {
                steps.count++;
                if (elements[i] != value[at + i] && elements[i] != ANY_ONE) {
                    return false;
                }
            }
            return true;
        }

        /** Where the first one that lies between two places ends, or -1. */
        int endOfFirst(int[] value, int from, int to, Steps steps) {
            return borders == null ? endAmongWildcards(value, from, to, steps) : endOfPlain(value, from, to, steps);
        }

        /** The algorithm of Knuth, Morris and Pratt: no character of the value is gone back to. */
        private int endOfPlain(int[] value, int from, int to, Steps steps) {
            int matched = 0;
            for (int at = from; at < to; at++) {
                steps.count++;
                while (matched > 0 && elements[matched] != value[at]) {
                    matched = borders[matched - 1];
                    steps.count++;
                }
                if (elements[matched] == value[at] && ++matched == elements.length) {
                    return at + 1;
                }
            }
            return -1;
        }

        private static int[] borders(int[] elements) {
            int[] borders = new int[elements.length];
            int matched = 0;
            for (int i = 1; i < elements.length; i++) {
                while (matched > 0 && elements[matched] != elements[i]) {
                    matched = borders[matched - 1];
                }
                if (elements[matched] == elements[i]) {
                    matched++;
                }
                borders[i] = matched;
            }
            return borders;
        }

        /**
         * Shift-And: a bit for each beginning of the piece that what was read could be the end of, 64 of them in a step. So the
         * length of the piece, which the consumer chooses, counts by its 64th part.
         */
        private int endAmongWildcards(int[] value, int from, int to, Steps steps) {
            long[] matched = new long[blocks.size()];
            int last = elements.length - 1;
            for (int at = from; at < to; at++) {
                long carried = 1;
                for (int i = 0; i < matched.length; i++) {
                    steps.count++;
                    long next = matched[i] >>> (Block.SIZE - 1);
                    matched[i] = (matched[i] << 1 | carried) & blocks.get(i).places(value[at]);
                    carried = next;
                }
                if ((matched[last / Block.SIZE] >>> last % Block.SIZE & 1) == 1) {
                    return at + 1;
                }
            }
            return -1;
        }
    }

    /**
     * Up to 64 elements of a piece, and where in it each character may stand.
     *
     * @param letters the characters that it has, in order
     * @param places of each of them, a bit for each place
     * @param others where any other may stand
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Block(int[] letters, long[] places, long others) {

        static final int SIZE = Long.SIZE;

        static List<Block> of(int[] elements) {
            List<Block> blocks = new ArrayList<>();
            for (int start = 0; start < elements.length; start += SIZE) {
                blocks.add(block(Arrays.copyOfRange(elements, start, Math.min(elements.length, start + SIZE))));
            }
            return List.copyOf(blocks);
        }

        private static Block block(int[] elements) {
            int[] letters = Arrays.stream(elements)
                    .filter(element -> element != ANY_ONE)
                    .distinct()
                    .sorted()
                    .toArray();
            long others = 0;
            long[] places = new long[letters.length];
            for (int i = 0; i < elements.length; i++) {
                if (elements[i] == ANY_ONE) {
                    others |= 1L << i;
                } else {
                    places[Arrays.binarySearch(letters, elements[i])] |= 1L << i;
                }
            }
            for (int i = 0; i < places.length; i++) {
                places[i] |= others;
            }
            return new Block(letters, places, others);
        }

        long places(int character) {
            int letter = Arrays.binarySearch(letters, character);
            return letter < 0 ? others : places[letter];
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LikePattern that && text.equals(that.text) && Objects.equals(escape, that.escape);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, escape);
    }

    /** The pattern as the selector has it, without its escape character. */
    @Override
    public String toString() {
        return text;
    }
}
