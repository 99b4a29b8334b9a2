/**
 * As strict as SQL Server is known to be. Tests run on servers that speak T-SQL and accept what SQL Server refuses; so each
 * connection of a {@code jdbc:sqlserver:} URL, the provider's own and the tests', goes through {@link
 * org.readpast.jms.strict.StrictDriver}, which takes the place of Microsoft's driver in {@link java.sql.DriverManager} wherever
 * this package is on the class path, and refuses what the server would. On a real server it adds only what its {@link org.readpast.jms.strict.Mode} says.
 * Tests that count round trips leave it out, since it asks questions of its own: {@link org.readpast.jms.strict.StrictDriver#OFF}.
 *
 * <table>
 * <caption>What is held, and how it is known</caption>
 * <tr><th>rule</th><th>source</th></tr>
 * <tr><td>266 behind the results of a call with parameters that ends with another {@code @@TRANCOUNT} than it began with; not
 * where an implicit begin took it from 0 to 1, and not for a plain batch, but for a procedure that it calls</td>
 * <td>probed on SQL Server 2025: RyanLamansky/sql-server-simulator, AdHocScopeTransactionCountTests, ImplicitTransactionsTests; met
 * by tedious#891. The driver sends every PreparedStatement by sp_executesql, sp_prepexec or sp_execute: mssql-jdbc,
 * SQLServerPreparedStatement.doPrepExec</td></tr>
 * <tr><td>BEGIN TRANSACTION counts 2 where no transaction is open and autocommit is off</td>
 * <td>ImplicitTransactionsTests, BeginTransaction_NestsInsideTheImplicitOne; Microsoft, SET IMPLICIT_TRANSACTIONS</td></tr>
 * <tr><td>SET NOCOUNT, XACT_ABORT, LOCK_TIMEOUT and the isolation level, set within a call with parameters, go back at its
 * end</td><td>probed: sql-server-simulator, docs/claude/session-options.md</td></tr>
 * <tr><td>10724, 10745: FORCESEEK, FORCESCAN directly on the target of INSERT, UPDATE or DELETE; 1069: INDEX there; 1065: NOLOCK,
 * READUNCOMMITTED there. Behind FROM they are fine</td>
 * <td>probed: sql-server-simulator, docs/claude/query-hints.md and SimulatedSqlException (10724, 10745). MERGE has FORCESEEK on its
 * target in Hangfire, CountersAggregator.cs, so it is let through</td></tr>
 * <tr><td>4102: READPAST on the target of INSERT</td><td>captured on SQL Server 17.0.5005: mirek/bitsql,
 * docs/reference/tail5-b2.md</td></tr>
 * <tr><td>156: hints on a table variable that is the target of INSERT or MERGE</td><td>probed: query-hints.md</td></tr>
 * <tr><td>1047: NOLOCK, READUNCOMMITTED beside UPDLOCK, XLOCK, HOLDLOCK, SERIALIZABLE, REPEATABLEREAD, TABLOCKX; 321: a word that is no
 * hint</td><td>probed: query-hints.md</td></tr>
 * <tr><td>650, and the transaction is gone: READPAST at SERIALIZABLE or SNAPSHOT, by a hint or the session's level, UPDLOCK beside it or
 * not; at READ UNCOMMITTED where rows are read only. READCOMMITTED, READCOMMITTEDLOCK and REPEATABLEREAD beside it come before the
 * session's level</td><td>captured: tail5-b2.md; Microsoft, table hints</td></tr>
 * <tr><td>208: OPENJSON below compatibility level 130 ({@code COMPATIBILITY_LEVEL=120}); sys.databases tells the level of the mode, as
 * Babelfish says 120 of itself</td><td>Microsoft, OPENJSON</td></tr>
 * <tr><td>READPAST in a SELECT with no lock of its own ({@code RCSI}): no error of the server's, but it reads versions there and steps over
 * nothing</td><td>Microsoft, table hints: READPAST needs READCOMMITTEDLOCK beside it under READ_COMMITTED_SNAPSHOT</td></tr>
 * <tr><td>One text whose parameters are declared with other types than before, but for nvarchar(4000) and nvarchar(max), varbinary(8000) and
 * varbinary(max), unless by setObject: no error of the server's, which would compile and keep a plan for each</td>
 * <td>Microsoft, Prepared statement parameter performance for the JDBC driver</td></tr>
 * </table>
 *
 * <p>Not held here, since it takes the schema's indexes or a plan: 308, 362, 365, 651 and 8622.
 */
package org.readpast.jms.strict;
