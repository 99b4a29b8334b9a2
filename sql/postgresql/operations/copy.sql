-- Puts a copy of messages into another queue, so many at the most. Conditions that are null do not count.
-- Parameters: see the function.
-- Index: see the function.
-- Locks: the rows, until the transaction ends; what others have locked is stepped over.
-- Rights: GRANT readpast_manage
SELECT readpast.copy(queue => :queue, target => :target, jms_message_id => :jms_message_id, correlation_id => :correlation_id, type => :type,
    property => :property, property_value => :property_value, sent_before => CAST(:sent_before AS timestamptz),
    sent_after => CAST(:sent_after AS timestamptz), minimum_deliveries => :minimum_deliveries, origin => :origin, state => :state, most => :most,
    keys => CAST(:keys AS json), claimed_user => :claimed_user) AS done
