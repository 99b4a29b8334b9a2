package org.readpast.jms.strict;

import com.microsoft.sqlserver.jdbc.SQLServerDriver;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;

/** Stands in front of Microsoft's driver: whoever asks {@link DriverManager} for a {@code jdbc:sqlserver:} URL gets a strict connection. */
public final class StrictDriver implements Driver {

    /** In a URL: for tests that count round trips, of which the strict driver's own questions are some. */
    public static final String OFF = ";strict=false";

    static {
        try {
            SQLServerDriver.deregister();
            DriverManager.registerDriver(new StrictDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Driver driver = new SQLServerDriver();
    private final Mode mode = Mode.ofRun();

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        return url.contains(OFF)
                ? driver.connect(mode.url(url.replace(OFF, "")), info)
                : StrictConnection.of(driver.connect(mode.url(url), info), mode);
    }

    /** A connection in a mode of its own, whatever that of the run is. */
    public static Connection connect(String url, Mode mode) throws SQLException {
        return StrictConnection.of(new SQLServerDriver().connect(mode.url(url), new Properties()), mode);
    }

    @Override
    public boolean acceptsURL(String url) throws SQLException {
        return driver.acceptsURL(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
        return driver.getPropertyInfo(url, info);
    }

    @Override
    public int getMajorVersion() {
        return driver.getMajorVersion();
    }

    @Override
    public int getMinorVersion() {
        return driver.getMinorVersion();
    }

    @Override
    public boolean jdbcCompliant() {
        return driver.jdbcCompliant();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("com.microsoft.sqlserver.jdbc");
    }
}
