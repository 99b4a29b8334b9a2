package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.contract.GroupsContract;

/** Groups of messages on PostgreSQL. */
class PostgresGroupsTest extends GroupsContract {

    PostgresGroupsTest() {
        super(new SqlTables(TestDatabase.POSTGRESQL));
    }

    /** Somebody has to make room, which nobody would do who is not told. */
    @Test
    void consumer_is_told_where_a_full_database_keeps_a_group_from_it() throws Exception {
        SqlTables sql = (SqlTables) tables();
        sendTogether(grouped("a", "a1"));
        sql.sql("CREATE FUNCTION " + sql.schema + ".is_full() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN RAISE EXCEPTION USING ERRCODE = ''disk_full''; END'");
        sql.sql("CREATE TRIGGER is_full BEFORE INSERT ON " + sql.table("message_group") + " EXECUTE FUNCTION "
                + sql.schema + ".is_full()");
        try (Presence presence = store.register()) {
            GroupHolder holder = new GroupHolder(presence.instance(), false);
            assertThatThrownBy(() -> transaction().claim(head(1).by(holder)))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.OUT_OF_SPACE));
            nothingIsLeftBehind();
            sql.sql("DROP TRIGGER is_full ON " + sql.table("message_group"));
            assertThat(texts(transaction().claim(head(1).by(holder)))).containsExactly("a1");
            nothingIsLeftBehind();
        }
    }
}
