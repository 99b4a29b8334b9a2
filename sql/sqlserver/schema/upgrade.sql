-- Brings an installed schema up to date, as install.sql does, and refuses where there is none. The change log says whether JMS
-- clients of the older version have to be stopped first. In sqlcmd, from this folder, as db_owner:
--     sqlcmd -S server -d app -E -b -I -i upgrade.sql
-- or in SSMS as install.sql.
:on error exit
SET NOEXEC OFF;
GO
IF OBJECT_ID(N'[readpast].schema_version', N'U') IS NULL
    THROW 50012, N'There is no schema readpast in this database: run install.sql', 1;
GO
:r install.sql
