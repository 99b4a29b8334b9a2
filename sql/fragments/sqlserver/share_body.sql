-- Stores the body that copies of a message share, if the topic's version is still the one with which its subscriptions were read; @body_id is
-- null where not. Only the copies are to be counted (NOCOUNT).
SET NOCOUNT ON;
DECLARE @shared TABLE (body_id bigint NOT NULL);
DECLARE @body_id bigint;
INSERT INTO [readpast].shared_body (body)
OUTPUT inserted.body_id INTO @shared (body_id)
SELECT :shared_body
/* include topic_unchanged */;
SET @body_id = (SELECT MIN(body_id) FROM @shared);
SET NOCOUNT OFF;
