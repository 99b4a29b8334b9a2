-- Installs Readpast, or brings it up to date: runs the numbered scripts that schema_version does not have, and roles.sql, in one
-- transaction. Run again it changes nothing. For a role that may create the schema and roles:
--     psql -d app -f sql/postgresql/schema/install.sql
-- Without psql: run the numbered scripts in their order, then roles.sql, in one transaction.
\set ON_ERROR_STOP on
BEGIN;
-- As a JMS client with createSchema=true does: one at a time.
SELECT pg_advisory_xact_lock(hashtextextended('readpast:readpast:schema', 0)) AS locked \gset
SELECT to_regclass('readpast.schema_version') IS NULL AS missing \gset
\if :missing
\ir 001-tables.sql
\endif
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 2) AS missing \gset
\if :missing
\ir 002-views.sql
\endif
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 3) AS missing \gset
\if :missing
\ir 003-functions.sql
\endif
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 4) AS missing \gset
\if :missing
\ir 004-procedures.sql
\endif
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 5) AS missing \gset
\if :missing
\ir 005-history.sql
\endif
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 6) AS missing \gset
\if :missing
\ir 006-repair.sql
\endif
SELECT NOT EXISTS (SELECT FROM readpast.schema_version WHERE version = 7) AS missing \gset
\if :missing
\ir 007-observe.sql
\endif
\ir roles.sql
COMMIT;
