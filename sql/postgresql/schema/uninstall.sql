-- Removes the schema with everything in it, what other schemas have built on it too, and the roles, in one transaction. Refuses where JMS
-- clients are connected or messages wait, unless told: -v force=yes. Run again it changes nothing. For the owner of the schema; roles
-- of another owner stay:
--     psql -d app -f sql/postgresql/schema/uninstall.sql
\set ON_ERROR_STOP on
-- On a node of a Citus cluster: on this node alone. Elsewhere a setting that nobody reads.
SET citus.enable_ddl_propagation = off;
\if :{?force}
\else
\set force no
\endif
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(lower('READPAST') || ':readpast:schema', 0)) AS locked \gset
SELECT set_config('readpast.force', :'force', true) AS told \gset
DO $$
DECLARE
    r text;
BEGIN
    IF to_regclass('readpast.schema_version') IS NOT NULL AND current_setting('readpast.force') <> 'yes' THEN
        IF EXISTS (SELECT FROM readpast.presence WHERE missing_since IS NULL) THEN
            RAISE EXCEPTION 'JMS clients are connected, see readpast.presence: stop them, or give force=yes if they are dead';
        END IF;
        IF EXISTS (SELECT FROM readpast.message) OR EXISTS (SELECT FROM readpast.delayed_message) THEN
            RAISE EXCEPTION 'Messages wait, see readpast.queue_overview: give force=yes to lose them';
        END IF;
    END IF;
    DROP SCHEMA IF EXISTS readpast CASCADE;
    -- Roles belong to the server: another database, or another schema, may use them.
    FOR r IN SELECT rolname FROM pg_roles
             WHERE rolname IN ('readpast_send', 'readpast_receive', 'readpast_manage', 'readpast_observe') LOOP
        BEGIN
            EXECUTE format('DROP ROLE %I', r);
        EXCEPTION WHEN dependent_objects_still_exist OR insufficient_privilege THEN
            RAISE NOTICE 'Role % has rights elsewhere, or is not to be dropped by this user, and stays', r;
        END;
    END LOOP;
END
$$;
COMMIT;
