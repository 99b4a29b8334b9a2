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
     * @param isMissing whether the schema, or what is looked at in it, is not there
     */
    record Unknown<T>(String why, String grant, boolean isMissing) implements Answer<T> {

        public Unknown(String why, String grant) {
            this(why, grant, false);
        }

        /** The same of other rows. */
        public <S> Unknown<S> ofOther() {
            return new Unknown<>(why, grant, isMissing);
        }

        /** Whether it may be known a moment later: time was up, or there was an error. */
        public boolean mayPass() {
            return grant == null && !isMissing;
        }

        /** Why, and the right that is missing. */
        public String text() {
            return why + (grant == null ? "" : ". Missing: " + grant);
        }

        @Override
        public List<T> rows() {
            return List.of();
        }
    }
}
