package org.readpast.examples.boot;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Table;
import java.io.Serializable;

/** A step that an order has made. Its key is the order and the step, so that the database refuses to store one twice. */
@Entity
@Table(name = "readpast_shop_order_step")
class OrderStep {

    @EmbeddedId
    private Key key;

    /** The order, and the step. */
    @Embeddable
    record Key(
            @Column(name = "order_id", length = 50) String orderId,

            @Enumerated(EnumType.STRING) @Column(name = "step", length = 20)
            Step step)
            implements Serializable {}

    /** For JPA. */
    protected OrderStep() {}

    OrderStep(String orderId, Step step) {
        key = new Key(orderId, step);
    }
}
