-- Registers a JVM.
-- Parameters: :instance, :host, :process
-- Index: primary key of readpast.presence.
-- Locks: the new row.
INSERT INTO readpast.presence (instance, host, process) VALUES (:instance, :host, :process)
