package org.readpast.jms.store.jdbc.failure;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.util.List;
import javax.security.auth.login.LoginException;
import javax.security.sasl.SaslException;
import org.ietf.jgss.GSSException;
import org.readpast.jms.store.Failure;

/** What keeps a user from connecting, beside a database that is not there: what it is read as, and what to do. */
enum LoginTrouble {
    CERTIFICATE(
            Failure.CONNECTION_LOST,
            "the server's certificate is not trusted: give the driver one that it can trust (on SQL Server the server's own or its"
                    + " issuer's by trustStore and trustStorePassword, on PostgreSQL by sslrootcert), or, where nobody can come"
                    + " between, let it trust any (trustServerCertificate=true, sslmode=require), which encrypts and gives up"
                    + " knowing who is at the other end"),
    KERBEROS(
            Failure.AUTHENTICATION,
            "Kerberos gave no ticket for the database: see klist, krb5.conf and the JAAS entry of this process, and whether the"
                    + " server's service principal (MSSQLSvc/host:port on SQL Server, postgres/host on PostgreSQL) is registered"),
    ENTRA(
            Failure.AUTHENTICATION,
            "the driver could not begin the login, for which its own words are the reason; logins by Microsoft Entra"
                    + " (authentication=ActiveDirectory...) need com.microsoft.azure:msal4j on the class path, and for some"
                    + " com.azure:azure-identity"),
    SHUT(
            Failure.CONNECTION_LOST,
            "the database of the URL is being recovered or failing over, or does not exist, or this login has no user in it; try"
                    + " again when it is back"),
    PASSWORD(
            Failure.AUTHENTICATION,
            "check user name and password; on SQL Server its error log says why (the state of error 18456), and logins with a"
                    + " password need SQL Server authentication to be on"),
    UNTRUSTED_DOMAIN(
            Failure.AUTHENTICATION,
            "SQL Server took this for a Windows login: give user and password of a SQL Server login, or log in by Kerberos"
                    + " (integratedSecurity=true;authenticationScheme=JavaKerberos) from a domain that the server trusts"),
    ACCOUNT(
            Failure.AUTHENTICATION,
            "the login is locked or disabled, or its password has expired or must be changed: a DBA mends it with ALTER LOGIN"),
    FIREWALL(Failure.AUTHENTICATION, "add a firewall rule for this client's address to the Azure SQL server");

    private static final List<Class<? extends Throwable>> CERTIFICATES =
            List.of(CertPathBuilderException.class, CertPathValidatorException.class, CertificateException.class);

    private static final List<Class<? extends Throwable>> TICKETS =
            List.of(LoginException.class, GSSException.class, SaslException.class);

    private final Failure failure;
    private final String advice;

    LoginTrouble(Failure failure, String advice) {
        this.failure = failure;
        this.advice = advice;
    }

    Failure failure() {
        return failure;
    }

    /** What to do. */
    String advice() {
        return advice;
    }

    /** What it is that an error tells of; null for anything else. */
    static LoginTrouble of(Vendor vendor, SQLException error) {
        if (isCausedBy(error, CERTIFICATES)) {
            return CERTIFICATE;
        }
        if (isCausedBy(error, TICKETS)) {
            return KERBEROS;
        }
        if (vendor == Vendor.SQL_SERVER && vendor.isUnsent(error.getErrorCode(), error.getSQLState())) {
            return ENTRA;
        }
        return switch (vendor) {
            case SQL_SERVER, UNKNOWN -> sqlServer(vendor, error);
            case POSTGRESQL -> "3D000".equals(error.getSQLState()) ? SHUT : password(error);
            case H2 -> null;
        };
    }

    private static LoginTrouble sqlServer(Vendor vendor, SQLException error) {
        return switch (error.getErrorCode()) {
            // Of a database that recovers or fails over, as of one that is not there.
            case 916, 4060, 4064 -> SHUT;
            case 18452 -> UNTRUSTED_DOMAIN;
            case 18456 -> PASSWORD;
            case 18470, 18486, 18487, 18488 -> ACCOUNT;
            case 40615 -> FIREWALL;
            default -> vendor == Vendor.UNKNOWN ? of(Vendor.POSTGRESQL, error) : null;
        };
    }

    private static LoginTrouble password(SQLException error) {
        String state = error.getSQLState();
        return "28P01".equals(state) || "28000".equals(state) ? PASSWORD : null;
    }

    private static boolean isCausedBy(Throwable error, List<Class<? extends Throwable>> types) {
        return error != null
                && (types.stream().anyMatch(type -> type.isInstance(error)) || isCausedBy(error.getCause(), types));
    }
}
