-- Lists shared bodies that no message refers to, of those behind an id, in their order.
-- Nobody counts references. A body and its copies are committed together, and later a reference is moved, or copied by somebody who
-- has its row locked, so a body without one at some moment is without one for ever. This query sees one moment,
-- which a DELETE with the same condition would not: a row that is being moved between the two tables stands in one of them, and one
-- whose acknowledgement is not committed still stands there.
-- Parameters: :behind, :max
-- Index: primary key of readpast.shared_body from the id; message_body and delayed_message_body, one seek for each body.
-- Locks: none.
SELECT b.body_id
FROM readpast.shared_body b
WHERE b.body_id > :behind
  AND NOT EXISTS (SELECT 1 FROM readpast.message m WHERE m.body_id = b.body_id)
  AND NOT EXISTS (SELECT 1 FROM readpast.delayed_message m WHERE m.body_id = b.body_id)
ORDER BY b.body_id
FETCH FIRST :max ROWS ONLY
