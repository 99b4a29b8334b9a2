-- How a schema script for PostgreSQL gives a function, here send, a further parameter: see CONTRIBUTING.md. May be run again, also behind
-- the script that made the function as it was.
DO $$
BEGIN
    IF to_regprocedure('readpast.send(text,text,json,int,bigint,bigint,text,text,text,bytea)') IS NULL THEN
        RETURN;
    END IF;
    IF to_regprocedure('readpast.send(text,text,json,int,bigint,bigint,text,text,text,bytea,text)') IS NULL THEN
        -- Calls that are under way and what somebody has built upon it go on with the old one, under another name.
        ALTER FUNCTION readpast.send(text, text, json, int, bigint, bigint, text, text, text, bytea) RENAME TO send_before_8;
    ELSE
        DROP FUNCTION readpast.send(text, text, json, int, bigint, bigint, text, text, text, bytea);
    END IF;
END
$$;

/* the function with its new parameter */

REVOKE ALL ON FUNCTION readpast.send(text, text, json, int, bigint, bigint, text, text, text, bytea, text) FROM PUBLIC;

-- The rights that were given on the old one.
DO $$
DECLARE
    command text;
BEGIN
    FOR command IN
        SELECT format('GRANT EXECUTE ON FUNCTION readpast.send(text, text, json, int, bigint, bigint, text, text, text, bytea, text) TO %s%s',
                      CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
                      CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
        FROM pg_proc p, aclexplode(p.proacl) a
        WHERE p.oid = 'readpast.send_before_8'::regproc AND a.grantee <> p.proowner
    LOOP
        EXECUTE command;
    END LOOP;
END
$$;
