-- What a statement that commits does where it fails.
IF @@TRANCOUNT > 0
        ROLLBACK TRANSACTION;
    THROW;
