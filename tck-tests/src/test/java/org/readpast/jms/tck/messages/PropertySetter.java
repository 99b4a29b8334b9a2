package org.readpast.jms.tck.messages;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;

/** One of the nine methods that set a property. */
record PropertySetter(String name, Setting setting) {

    /** Sets a property of the given name to a value of the method's type. */
    @FunctionalInterface
    interface Setting {
        void set(Message message, String name) throws JMSException;
    }

    static final List<PropertySetter> ALL = List.of(
            new PropertySetter("setBooleanProperty", (message, name) -> message.setBooleanProperty(name, true)),
            new PropertySetter("setByteProperty", (message, name) -> message.setByteProperty(name, (byte) 1)),
            new PropertySetter("setShortProperty", (message, name) -> message.setShortProperty(name, (short) 1)),
            new PropertySetter("setIntProperty", (message, name) -> message.setIntProperty(name, 1)),
            new PropertySetter("setLongProperty", (message, name) -> message.setLongProperty(name, 1)),
            new PropertySetter("setFloatProperty", (message, name) -> message.setFloatProperty(name, 1)),
            new PropertySetter("setDoubleProperty", (message, name) -> message.setDoubleProperty(name, 1)),
            new PropertySetter("setStringProperty", (message, name) -> message.setStringProperty(name, "1")),
            new PropertySetter("setObjectProperty", (message, name) -> message.setObjectProperty(name, 1)));

    void set(Message message, String propertyName) throws JMSException {
        setting.set(message, propertyName);
    }

    @Override
    public String toString() {
        return name;
    }
}
