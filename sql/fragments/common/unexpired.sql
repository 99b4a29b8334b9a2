-- Leaves out messages that have expired.
AND (m.expires_at IS NULL OR m.expires_at > /* include now */)
