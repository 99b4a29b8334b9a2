-- Installs Readpast, or brings it up to date: runs the numbered scripts that schema_version does not have, and roles.sql, each in a
-- transaction of its own. Run again it goes on where it was stopped, and changes nothing where all was run. A step that waits longer than
-- a second for somebody's lock gives up (55P03), so that nobody waits for long behind it: run it again. For a role that may create the
-- schema and roles:
--     psql -d app -f sql/postgresql/schema/install.sql
-- Without psql: run the numbered scripts in their order, then roles.sql.
\set ON_ERROR_STOP on
-- On a node of a Citus cluster: on this node alone. Elsewhere a setting that nobody reads.
SET citus.enable_ddl_propagation = off;
-- One at a time, as JMS clients with createSchema=true do.
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:schema', 0)) AS locked \gset
SET LOCAL lock_timeout = '1s';
SELECT to_regclass('readpast.schema_version') IS NULL AS missing \gset
\if :missing
\ir 001-tables.sql
\endif
COMMIT;
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:schema', 0)) AS locked \gset
SET LOCAL lock_timeout = '1s';
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 2) AS missing \gset
\if :missing
\ir 002-views.sql
\endif
COMMIT;
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:schema', 0)) AS locked \gset
SET LOCAL lock_timeout = '1s';
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 3) AS missing \gset
\if :missing
\ir 003-functions.sql
\endif
COMMIT;
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:schema', 0)) AS locked \gset
SET LOCAL lock_timeout = '1s';
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 4) AS missing \gset
\if :missing
\ir 004-procedures.sql
\endif
COMMIT;
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:schema', 0)) AS locked \gset
SET LOCAL lock_timeout = '1s';
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 5) AS missing \gset
\if :missing
\ir 005-history.sql
\endif
COMMIT;
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:schema', 0)) AS locked \gset
SET LOCAL lock_timeout = '1s';
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 6) AS missing \gset
\if :missing
\ir 006-repair.sql
\endif
COMMIT;
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:schema', 0)) AS locked \gset
SET LOCAL lock_timeout = '1s';
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 7) AS missing \gset
\if :missing
\ir 007-observe.sql
\endif
COMMIT;
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:schema', 0)) AS locked \gset
SET LOCAL lock_timeout = '1s';
\ir roles.sql
COMMIT;
