package org.readpast.operations.database;

import java.util.List;

/**
 * What a look at one thing came to: rows, or that it cannot be known. Nothing is ever taken for "none" because it could not be read.
 *
 * @param <T> a row
 */
public sealed interface Answer<T> {

    /** The rows; none where it is not known. */
    List<T> rows();

    /** Whether the rows are all that there is to know. */
    default boolean isKnown() {
        return this instanceof Known;
    }

    /**
     * Rows that were read.
     *
     * @param rows unmodifiable, possibly none
     */
    record Known<T>(List<T> rows) implements Answer<T> {
        public Known {
            rows = List.copyOf(rows);
        }
    }

    /**
     * What could not be read.
     *
     * @param why in words
     * @param grant the right that the login lacks, as a statement for who may give it; null where no right would help
     */
    record Unknown<T>(String why, String grant) implements Answer<T> {
        @Override
        public List<T> rows() {
            return List.of();
        }
    }
}
