package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.readpast.jms.tck.rig.TestDatabase;

/** What becomes of a destination's row. */
enum Move {
    REMOVED("DELETE FROM %s.destination WHERE kind = '%s' AND name = ?"),
    GIVEN_TO_ANOTHER("UPDATE %s.destination SET name = 'another.' + name WHERE kind = '%s' AND name = ?"),
    GIVEN_TO_ANOTHER_KIND(
            "UPDATE %s.destination SET kind = CASE kind WHEN 'Q' THEN 'T' ELSE 'Q' END WHERE kind = '%s' AND name = ?");

    private final String statement;

    Move(String statement) {
        this.statement = statement;
    }

    /** @param kind Q for a queue, T for a topic */
    void carryOut(RowTable table, String kind, String name) throws Exception {
        String in = String.format(statement, table.schema(), kind);
        String sql = table.database() == TestDatabase.SQLSERVER ? in : in.replace("' + name", "' || name");
        assertThat(table.run(sql, name)).isEqualTo(1);
    }
}
