package org.readpast.console;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How a console runs.
 *
 * @param url JDBC URL of the database, which says nothing of who logs in
 * @param schema of the message tables
 * @param address to listen on; without TLS a loopback address; null where it is asked through another server
 * @param port to listen on, 0 for any that is free
 * @param tls null for none
 * @param hosts names by which browsers may call it; localhost and the address itself need not be named. Without an address none means any
 * @param idle after which a session without a request ends
 * @param longest after which a session ends
 * @param users so many may be signed in at once, with two connections each
 * @param silenced the file of findings that are silenced, read anew for each look; null for none
 * @param proxy whose users come in without a password of the database; null for none
 */
public record Settings(
        String url,
        String schema,
        InetAddress address,
        int port,
        Tls tls,
        Set<String> hosts,
        Duration idle,
        Duration longest,
        int users,
        Path silenced,
        Proxy proxy) {

    /**
     * A key and its certificate.
     *
     * @param keystore a PKCS12 file
     * @param password of the file
     */
    public record Tls(Path keystore, String password) {
        @Override
        public String toString() {
            return keystore.toString();
        }
    }

    /** What would let everybody in as one and the same. */
    private static final Pattern LOGIN_IN_URL = Pattern.compile(
            "(?i)(?:[;?&]\\s*(?:user|userName|password|pwd|integratedSecurity|authentication|authenticationScheme|accessToken"
                    + "|accessTokenCallbackClass|clientCertificate|sslkey|sslcert|passfile|service|authenticationPluginClassName"
                    + "|requireAuth|jaasLogin|jaasApplicationName|jaasConfigurationName|useDefaultJaasConfig|gsslib|gssUseDefaultCreds)\\s*=)|//[^/?;]*@");

    /**
     * @throws IllegalArgumentException if something in it would be unsafe, in words for who starts the console
     */
    public Settings {
        hosts = Set.copyOf(hosts);
        if (LOGIN_IN_URL.matcher(url).find()) {
            throw new IllegalArgumentException("the URL says who logs in, or how: in the console each logs in himself,"
                    + " by the name and the password of a login of the database");
        }
        if (address != null && tls == null && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException("without TLS the console listens on a loopback address only, and "
                    + address.getHostAddress() + " is none: passwords would be read on the way");
        }
        if (address != null && address.isAnyLocalAddress() && hosts.isEmpty()) {
            throw new IllegalArgumentException(
                    "on all addresses the console has to be told by which names it is called: other names are refused");
        }
    }

    /** Whether browsers come by https, to the console or to the proxy in front of it. */
    boolean isSecure() {
        return tls != null || (proxy != null && proxy.isTls());
    }
}
