package org.readpast.spring;

import javax.sql.DataSource;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** What there is to know of an application's transaction managers. */
public final class TransactionManagers {

    private TransactionManagers() {}

    /**
     * Whether a transaction manager, for plain JDBC or JPA, is that of a DataSource, of one around it or of one within it.
     *
     * @param dataSource null for none
     */
    public static boolean isOf(PlatformTransactionManager manager, DataSource dataSource) {
        if (dataSource == null) {
            return false;
        }
        BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(manager);
        return properties.isReadableProperty("dataSource")
                && properties.getPropertyValue("dataSource") instanceof DataSource other
                && innermost(other) == innermost(dataSource);
    }

    private static DataSource innermost(DataSource outer) {
        DataSource inner = outer;
        while (inner instanceof DelegatingDataSource wrapper && wrapper.getTargetDataSource() != null) {
            inner = wrapper.getTargetDataSource();
        }
        return inner;
    }
}
