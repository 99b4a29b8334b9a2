-- Brings an installed schema up to date, as install.sql does, and refuses where there is none. The change log says whether JMS
-- clients of the older version have to be stopped first.
--     psql -d app -f sql/postgresql/schema/upgrade.sql
\set ON_ERROR_STOP on
DO $$
BEGIN
    IF to_regclass('readpast.schema_version') IS NULL THEN
        RAISE EXCEPTION 'There is no schema readpast here: run install.sql';
    END IF;
END
$$;
\ir install.sql
