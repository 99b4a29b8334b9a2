-- A message that has come to another queue, as a dead letter or expired: what is set, behind origin_id.
,
    destination_id = :target_id,
    jms_destination = 'queue://' || (SELECT d.name FROM readpast.destination d WHERE d.destination_id = :target_id AND d.kind = 'Q' AND d.name = :target),
    jms_expiration = 0,
    enqueued_at = /* include now */,
    expires_at = NULL,
    delivery_count = 0
