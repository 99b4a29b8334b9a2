package org.readpast.console.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stax.StAXSource;
import javax.xml.transform.stream.StreamResult;
import org.readpast.operations.messages.MessageContent;
import org.readpast.operations.messages.StoredMessage.Kind;

/**
 * The beginning of a body as text: JSON and XML indented, bytes and objects as hex. Nothing in it is executed: no object is deserialized, and
 * XML with a DTD is left as it is.
 *
 * @param format what it is taken for
 * @param text what is shown; empty for no body
 * @param isCut whether there is more of it
 */
public record Body(String format, String text, boolean isCut) {

    /** So much of a body is read. */
    public static final int MOST = 64 * 1024;

    private static final int MOST_INDENTED = 1024 * 1024;
    private static final int IN_LINE = 16;
    private static final int UTF_8 = 2;

    /** What is shown of a body. */
    public static Body of(MessageContent content) {
        byte[] bytes = content.body();
        if (bytes == null) {
            return new Body("no body", "", false);
        }
        Kind kind = content.message().kind();
        boolean isCut = content.message().bodyLength() > bytes.length;
        if (kind != Kind.TEXT && kind != Kind.MAP && kind != Kind.STREAM) {
            String format = kind == Kind.OBJECT ? "serialized object, not read, as hex" : "bytes, as hex";
            return new Body(format, hex(bytes), isCut);
        }
        String text = new String(bytes, content.format() == UTF_8 ? StandardCharsets.UTF_8 : StandardCharsets.UTF_16LE);
        if (kind != Kind.TEXT) {
            return new Body(kind == Kind.MAP ? "map" : "stream", isCut ? text : orAsItIs(json(text), text), isCut);
        }
        return isCut ? new Body("text", text, true) : text(text);
    }

    private static Body text(String text) {
        String start = text.stripLeading();
        if (start.startsWith("{") || start.startsWith("[")) {
            String json = json(text);
            return new Body(json == null ? "text" : "JSON", orAsItIs(json, text), false);
        }
        if (start.startsWith("<")) {
            String xml = xml(text);
            return new Body(xml == null ? "text" : "XML", orAsItIs(xml, text), false);
        }
        return new Body("text", text, false);
    }

    private static String orAsItIs(String indented, String text) {
        return indented == null ? text : indented;
    }

    /** JSON indented, with each number and name as it stood; null if it is none, or would become very long. */
    static String json(String text) {
        JsonFactory factory = new JsonFactory();
        StringWriter indented = new StringWriter();
        DefaultPrettyPrinter.Indenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(indenter);
        printer.indentObjectsWith(indenter);
        try (JsonParser parser = factory.createParser(text);
                JsonGenerator generator = factory.createGenerator(new Bounded(indented))) {
            generator.setPrettyPrinter(printer);
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                generator.copyCurrentEventExact(parser);
            }
        } catch (IOException e) {
            return null;
        }
        return indented.toString();
    }

    /** XML indented; null if it is none, has a DTD, or would become very long. */
    static String xml(String text) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("nothing is fetched");
        });
        StringWriter indented = new StringWriter();
        try {
            if (text.contains("<!DOCTYPE")) {
                return null;
            }
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
            Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
            transformer.setOutputProperty(OutputKeys.INDENT, "yes");
            transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            transformer.transform(new StAXSource(reader), new StreamResult(new Bounded(indented)));
        } catch (XMLStreamException | TransformerException | RuntimeException e) {
            return null;
        }
        return indented.toString();
    }

    static String hex(byte[] bytes) {
        HexFormat format = HexFormat.ofDelimiter(" ");
        StringBuilder lines = new StringBuilder();
        for (int from = 0; from < bytes.length; from += IN_LINE) {
            int to = Math.min(from + IN_LINE, bytes.length);
            lines.append(HexFormat.of().toHexDigits(from, 8)).append("  ");
            String line = format.formatHex(bytes, from, to);
            lines.append(line).append(" ".repeat(3 * IN_LINE - line.length()));
            for (int at = from; at < to; at++) {
                lines.append(bytes[at] >= ' ' && bytes[at] < 0x7f ? (char) bytes[at] : '.');
            }
            lines.append('\n');
        }
        return lines.toString();
    }

    /** Indenting what is nested deeply would make a page of gigabytes of it. */
    private static final class Bounded extends Writer {
        private final StringWriter to;

        Bounded(StringWriter to) {
            this.to = to;
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            if (to.getBuffer().length() + length > MOST_INDENTED) {
                throw new IOException("too long");
            }
            to.write(text, from, length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
