-- Registers a JVM.
-- Parameters: :addresses, :host, :instance, :port, :process, :provider_version, :schema_version, :secret
-- Index: primary key of readpast.presence.
-- Locks: the new row.
INSERT INTO readpast.presence (instance, host, process, addresses, port, secret, provider_version, schema_version)
VALUES (:instance, :host, :process, :addresses, :port, :secret, :provider_version, :schema_version)
