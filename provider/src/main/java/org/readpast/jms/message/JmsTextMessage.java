package org.readpast.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;

/** A message whose body is a text, or null. */
public final class JmsTextMessage extends JmsMessage implements TextMessage {

    private String text;

    /** One without a text, to be filled and sent. */
    public JmsTextMessage() {}

    /** One with this text, which may be null. */
    public JmsTextMessage(String text) {
        this.text = text;
    }

    @Override
    BodyKind kind() {
        return BodyKind.TEXT;
    }

    @Override
    Body body() {
        return text == null ? Body.EMPTY : new Body.Text(text);
    }

    @Override
    Class<?> bodyClass() {
        return text == null ? null : String.class;
    }

    @Override
    Object copyOfBody() {
        return text;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        text = null;
    }

    @Override
    public String getText() {
        return text;
    }

    @Override
    public void setText(String string) throws JMSException {
        checkBodyWriteable();
        text = string;
    }
}
