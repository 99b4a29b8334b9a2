package org.readpast.jms.jms;

import jakarta.jms.ConnectionMetaData;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What provider this is (§6.1.6). Immutable. */
final class JmsConnectionMetaData implements ConnectionMetaData {

    static final JmsConnectionMetaData INSTANCE = fromBuild();

    private static final Pattern MAJOR_MINOR = Pattern.compile("(\\d+)\\.(\\d+).*");

    /** Of the optional ones of §3.5.9: those of the client's, and the time of receipt. */
    private static final List<String> JMSX_NAMES =
            List.of("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount", "JMSXRcvTimestamp");

    private final String jmsVersion;
    private final String version;

    /**
     * @param jmsVersion that of the API, which is not the same for the edition of {@code javax.jms}
     * @param version this provider's
     */
    JmsConnectionMetaData(String jmsVersion, String version) {
        this.jmsVersion = jmsVersion;
        this.version = version;
    }

    @Override
    public String getJMSVersion() {
        return jmsVersion;
    }

    @Override
    public int getJMSMajorVersion() {
        return part(jmsVersion, 1);
    }

    @Override
    public int getJMSMinorVersion() {
        return part(jmsVersion, 2);
    }

    @Override
    public String getJMSProviderName() {
        return "Readpast";
    }

    @Override
    public String getProviderVersion() {
        return version;
    }

    @Override
    public int getProviderMajorVersion() {
        return part(version, 1);
    }

    @Override
    public int getProviderMinorVersion() {
        return part(version, 2);
    }

    @Override
    public Enumeration<String> getJMSXPropertyNames() {
        return Collections.enumeration(JMSX_NAMES);
    }

    private static int part(String version, int group) {
        Matcher matcher = MAJOR_MINOR.matcher(version);
        return matcher.matches() ? Integer.parseInt(matcher.group(group)) : 0;
    }

    /** The versions that the build wrote beside this class. */
    private static JmsConnectionMetaData fromBuild() {
        try (InputStream file = JmsConnectionMetaData.class.getResourceAsStream("provider.properties")) {
            Properties properties = new Properties();
            properties.load(file);
            return new JmsConnectionMetaData(properties.getProperty("jms.version"), properties.getProperty("version"));
        } catch (IOException problem) {
            throw new UncheckedIOException(
                    "provider.properties, which belongs beside this class, cannot be read", problem);
        }
    }
}
