/**
 * Holds the T-SQL of {@code sql/sqlserver} to what SQL Server is known to accept, with no server at hand.
 *
 * <p>{@link org.readpast.jms.store.jdbc.tsql.Token} cuts a file into words; the three readers ({@code StatementReader},
 * {@code QueryReader} with {@code ExpressionReader}, {@code DefinitionReader}) go through them with a {@code Cursor} and leave a
 * {@code Script}: the forms that were met, and as much of the statements as the rules need. {@code Linter} applies the rules:
 * {@code Constructs}, which is the table in docs/sqlserver-constructs.md, {@code Transactions}, {@code Collations}, and its own on
 * forced indexes. The readers know the T-SQL that is used here and no more, so that a new form is met by somebody who looks for its
 * source. The T-SQL grammars on Maven Central that were tried (Apache ShardingSphere 5.5.2, JSqlParser 5.1) do not read most of
 * these files: loop joins, FORCESEEK with columns, OPENJSON, TRY and CATCH.
 */
package org.readpast.jms.store.jdbc.tsql;
