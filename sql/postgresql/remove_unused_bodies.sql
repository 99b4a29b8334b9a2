-- Removes shared bodies that no message refers to, of those behind an id: looks at 20000 of them, until it has found so many. Returns
-- whether it has found them (more), and behind which id to go on (last), 0 where all have been looked at.
-- Parameters: :behind, :max
-- Nobody counts references. A body and its copies are committed together, and later a reference is moved, or copied by somebody who
-- has its row locked, so a body without one at some moment is without one for ever. The query sees one moment:
-- a row that is being moved between the two tables stands in one of them, and one whose acknowledgement is not committed still
-- stands there.
-- Index: primary key of readpast.shared_body from the id; message_body and delayed_message_body, one seek for each body.
-- Locks: the deleted rows; those that another JVM is removing are stepped over.
SELECT more, last FROM readpast.remove_unused_bodies(:behind, :max)
