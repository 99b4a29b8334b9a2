-- What a selector demands of header fields, of messages that have not expired.
AND m.priority_order BETWEEN :lowest_order AND :highest_order
      AND m.jms_timestamp BETWEEN :earliest AND :latest
      AND (CAST(:delivery_mode AS INT) IS NULL OR m.delivery_mode = CAST(:delivery_mode AS INT))
      AND (CAST(:jms_message_id AS VARCHAR) IS NULL OR m.jms_message_id = CAST(:jms_message_id AS VARCHAR))
      AND (CAST(:jms_type AS VARCHAR) IS NULL OR m.jms_type = CAST(:jms_type AS VARCHAR))
      /* include unexpired */
