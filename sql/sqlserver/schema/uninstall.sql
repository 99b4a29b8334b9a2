-- Removes the schema with everything in it, and the roles, in one transaction. Refuses where JMS clients are connected or messages
-- wait, unless told: force=yes. Run again it changes nothing. In sqlcmd, from this folder, as db_owner:
--     sqlcmd -S server -d app -E -b -I -v force=no -i uninstall.sql
-- or in SSMS in SQLCMD mode, with a line :setvar force no in front, in a window of its own.
-- What goes with it: whatever the schema has in it, and the foreign keys of other tables to those of this schema. It stops at whatever
-- else of another schema needs something of this one, such as a view with SCHEMABINDING.
:on error exit
-- SSMS keeps its connection: what a script left behind that ended with an error is over.
SET NOEXEC OFF;
GO
IF @@TRANCOUNT > 0
    ROLLBACK TRANSACTION;
SET IMPLICIT_TRANSACTIONS OFF;
SET NOCOUNT, XACT_ABORT ON;
GO
IF N'$(force)' <> N'yes' AND OBJECT_ID(N'[readpast].schema_version', N'U') IS NOT NULL
BEGIN
    IF EXISTS (SELECT 1 FROM [readpast].presence WHERE missing_since IS NULL)
        THROW 50012, N'JMS clients are connected, see [readpast].presence: stop them, or give force=yes if they are dead', 1;
    IF EXISTS (SELECT 1 FROM [readpast].message) OR EXISTS (SELECT 1 FROM [readpast].delayed_message)
        THROW 50012, N'Messages wait, see [readpast].queue_overview: give force=yes to lose them', 1;
END;
GO
BEGIN TRANSACTION;
DECLARE @drop nvarchar(1000), @role sysname, @member sysname;
SET @drop = N'';
WHILE @drop IS NOT NULL
BEGIN
    EXECUTE (@drop);
    SET @drop = NULL;
    SELECT TOP (1) @drop = N'ALTER TABLE ' + QUOTENAME(SCHEMA_NAME(f.schema_id)) + N'.' + QUOTENAME(OBJECT_NAME(f.parent_object_id))
        + N' DROP CONSTRAINT ' + QUOTENAME(f.name)
    FROM sys.foreign_keys AS f
    JOIN sys.tables AS t ON t.object_id = f.referenced_object_id
    WHERE t.schema_id = SCHEMA_ID(N'readpast');
    -- What uses others before what is used; of views and functions, which use each other, the newest first where a server asks for that.
    IF @drop IS NULL
        SELECT TOP (1) @drop =
            CASE o.type WHEN 'P' THEN N'DROP PROCEDURE' WHEN 'V' THEN N'DROP VIEW' WHEN 'U' THEN N'DROP TABLE'
                        WHEN 'SO' THEN N'DROP SEQUENCE' WHEN 'SN' THEN N'DROP SYNONYM' ELSE N'DROP FUNCTION' END
            + N' [readpast].' + QUOTENAME(o.name)
        FROM sys.objects o
        WHERE o.schema_id = SCHEMA_ID(N'readpast') AND o.type IN ('P', 'V', 'U', 'SO', 'SN', 'FN', 'IF', 'TF')
        ORDER BY CASE o.type WHEN 'U' THEN 2 WHEN 'SO' THEN 3 WHEN 'SN' THEN 3 ELSE 1 END, o.object_id DESC;
    IF @drop IS NULL
        SELECT TOP (1) @drop = N'DROP TYPE [readpast].' + QUOTENAME(y.name)
        FROM sys.types AS y
        WHERE y.schema_id = SCHEMA_ID(N'readpast') AND y.is_user_defined = 1
        ORDER BY y.user_type_id DESC;
END;
IF SCHEMA_ID(N'readpast') IS NOT NULL
    EXECUTE (N'DROP SCHEMA [readpast]');

-- A role that still has rights serves another schema of this database, and stays.
WHILE 1 = 1
BEGIN
    SET @role = NULL;
    SELECT TOP (1) @role = r.name
    FROM sys.database_principals r
    WHERE r.type = 'R'
      AND r.name IN (N'readpast_send', N'readpast_receive', N'readpast_manage', N'readpast_observe')
      AND NOT EXISTS (SELECT 1 FROM sys.database_permissions p WHERE p.grantee_principal_id = r.principal_id);
    IF @role IS NULL
        BREAK;
    WHILE 1 = 1
    BEGIN
        SET @member = NULL;
        SELECT TOP (1) @member = m.name
        FROM sys.database_role_members x
        JOIN sys.database_principals r ON r.principal_id = x.role_principal_id
        JOIN sys.database_principals m ON m.principal_id = x.member_principal_id
        WHERE r.name = @role;
        IF @member IS NULL
            BREAK;
        SET @drop = N'ALTER ROLE ' + QUOTENAME(@role) + N' DROP MEMBER ' + QUOTENAME(@member);
        EXECUTE (@drop);
    END;
    SET @drop = N'DROP ROLE ' + QUOTENAME(@role);
    EXECUTE (@drop);
END;
COMMIT TRANSACTION;
GO
