-- Stores the body of a message that several subscriptions get a copy of, and returns its id. The copies are inserted in the same
-- transaction.
-- Parameters: :body
-- Index: appends to readpast.shared_body.
-- Locks: the new row.
INSERT INTO readpast.shared_body (body) VALUES (:body) RETURNING body_id
