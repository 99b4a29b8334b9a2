package org.readpast.bridge;

/**
 * Says that messages of one place cross to another one.
 *
 * @param direction which way
 * @param source where they are received
 * @param target where they are sent
 */
public record Rule(Direction direction, Place source, Place target) {

    /**
     * @throws IllegalArgumentException if a topic is read without a durable subscription, or the target has one
     */
    public Rule {
        if (source.isTopic() && source.subscription() == null) {
            throw new IllegalArgumentException(
                    source + " is read without a durable subscription, so what comes while the bridge is away would be"
                            + " lost: add ?subscription=NAME");
        }
        if (target.subscription() != null) {
            throw new IllegalArgumentException(target + " is sent to, and has no subscription there");
        }
    }

    @Override
    public String toString() {
        return (direction == Direction.OVER ? "over " : "back ") + source + " " + target;
    }
}
