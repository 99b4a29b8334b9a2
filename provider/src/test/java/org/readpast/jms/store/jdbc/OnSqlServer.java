package org.readpast.jms.store.jdbc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Runs a class on the SQL Server that the system property names, and says plainly that it did not run where none is named. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OnSqlServer.Condition.class)
@interface OnSqlServer {

    /** Whether a URL is given. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (System.getProperty(TestDatabase.URL_PROPERTY) != null) {
                return ConditionEvaluationResult.enabled("a SQL Server is given");
            }
            String reason = "NOT RUN: " + context.getDisplayName() + ", for no SQL Server was given with -D"
                    + TestDatabase.URL_PROPERTY + "=jdbc:sqlserver://...";
            LoggerFactory.getLogger(OnSqlServer.class).warn(reason);
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
