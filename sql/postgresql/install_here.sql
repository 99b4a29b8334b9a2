-- Has a script make what it makes on this node alone, where the server is one of a Citus cluster: by itself Citus refuses that on a worker, and on
-- the coordinator distributes what is made, where it is told to by citus.enable_schema_based_sharding. Elsewhere a setting that nobody reads.
-- Parameters: none
-- Index: none.
-- Locks: none.
SET LOCAL citus.enable_ddl_propagation = off
