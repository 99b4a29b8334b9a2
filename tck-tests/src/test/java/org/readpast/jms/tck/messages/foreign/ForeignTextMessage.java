package org.readpast.jms.tck.messages.foreign;

import jakarta.jms.TextMessage;

/** A text message of nobody's provider. */
public final class ForeignTextMessage extends ForeignMessage implements TextMessage {
    private String text;

    @Override
    public void setText(String text) {
        this.text = text;
    }

    @Override
    public String getText() {
        return text;
    }

    @Override
    public void clearBody() {
        text = null;
    }

    @Override
    public <T> T getBody(Class<T> type) {
        return type.cast(text);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public boolean isBodyAssignableTo(Class type) {
        return text == null || type.isInstance(text);
    }
}
