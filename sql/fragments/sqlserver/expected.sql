-- Fails unless as many rows were deleted as there are keys.
IF @@ROWCOUNT <> :expected
    THROW 50001, N'Claimed messages are not there any more', 1
