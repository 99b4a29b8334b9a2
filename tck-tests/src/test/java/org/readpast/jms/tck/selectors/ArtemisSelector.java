package org.readpast.jms.tck.selectors;

import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.selector.filter.FilterException;
import org.apache.activemq.artemis.selector.filter.Filterable;
import org.apache.activemq.artemis.selector.impl.SelectorParser;

/** A selector as the library evaluates it that Artemis' broker uses: an opinion that is independent of ours. */
final class ArtemisSelector {

    private ArtemisSelector() {}

    static boolean matches(String selector, Map<String, Object> values) {
        try {
            return SelectorParser.parse(selector).matches(new Values(values));
        } catch (FilterException e) {
            throw new AssertionError("Artemis refuses: " + selector, e);
        }
    }

    private record Values(Map<String, Object> values) implements Filterable {
        @Override
        public Object getProperty(SimpleString name) {
            return values.get(name.toString());
        }

        @Override
        public <T> T getBodyAs(Class<T> type) {
            throw new UnsupportedOperationException("A selector sees no body (§3.8)");
        }

        @Override
        public Object getLocalConnectionId() {
            return null;
        }
    }
}
