-- Registers a JVM.
-- Parameters: :addresses, :host, :instance, :port, :process, :secret
-- Index: primary key of readpast.presence.
-- Locks: the new row.
INSERT INTO readpast.presence (instance, host, process, addresses, port, secret)
VALUES (:instance, :host, :process, :addresses, :port, :secret)
