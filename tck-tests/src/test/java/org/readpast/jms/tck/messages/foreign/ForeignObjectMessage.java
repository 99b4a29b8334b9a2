package org.readpast.jms.tck.messages.foreign;

import jakarta.jms.ObjectMessage;
import java.io.Serializable;

/** An object message of nobody's provider. */
public final class ForeignObjectMessage extends ForeignMessage implements ObjectMessage {
    private Serializable object;

    @Override
    public void setObject(Serializable object) {
        this.object = object;
    }

    @Override
    public Serializable getObject() {
        return object;
    }

    @Override
    public void clearBody() {
        object = null;
    }

    @Override
    public <T> T getBody(Class<T> type) {
        return type.cast(object);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public boolean isBodyAssignableTo(Class type) {
        return object == null || type.isInstance(object);
    }
}
