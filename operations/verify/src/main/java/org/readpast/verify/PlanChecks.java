package org.readpast.verify;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.readpast.operations.database.Product;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Looks at the plan of every statement, and of the procedures that programs call, with 60,000 messages in the queue. */
final class PlanChecks {

    private static final String AREA = "plan";
    private static final String FILL = """
            DECLARE @id int = (SELECT destination_id FROM [readpast].destination WHERE kind = N'Q' AND name = N'verify plans');
            WITH n AS (SELECT v FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS t (v))
            INSERT INTO [readpast].message (destination_id, priority_order, jms_message_id, jms_destination, correlation_id,
                delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length)
            SELECT @id, 5, CONCAT(N'ID:', a.v, b.v, c.v, d.v, e.v), N'queue://verify plans', CONCAT(N'c', a.v, b.v, c.v, d.v, e.v),
                2, 0, 0, 0, 1, 0, 0
            FROM n a CROSS JOIN n b CROSS JOIN n c CROSS JOIN n d CROSS JOIN n e
            WHERE a.v < 6""";

    private static final List<String> PROCEDURES = List.of(
            "EXECUTE [readpast].send @queue = N'verify plans', @body = N'x'",
            "EXECUTE [readpast].receive_batch @queue = N'verify plans'",
            "EXECUTE [readpast].claim @queue = N'verify plans'",
            "EXECUTE [readpast].complete @claim_token = '00000000-0000-0000-0000-000000000001'",
            "EXECUTE [readpast].fail @claim_token = '00000000-0000-0000-0000-000000000001'",
            "EXECUTE [readpast].extend @claim_token = '00000000-0000-0000-0000-000000000001'");

    /** The text and the parameters of a call within a batch. */
    private static final Pattern INNER =
            Pattern.compile("sp_executesql\\s+N'((?:[^']|'')*)',\\s*N'([^']*)'", Pattern.DOTALL);

    /** What a header says of a scan. */
    private static final Pattern SCAN = Pattern.compile("\\ba scan of\\b|\\ball of it\\b|\\bfrom its start\\b");

    private static final Set<String> LARGE = Set.of("message", "delayed_message", "message_history");

    private final Server server;
    private final Report report;
    private final List<SqlFile> files;

    PlanChecks(Server server, Report report, List<SqlFile> files) {
        this.server = server;
        this.report = report;
        this.files = files;
    }

    void run() {
        report.check(AREA, "60,000 messages put into a queue at once", () -> {
            server.run("EXECUTE [readpast].create_queue @queue = N'verify plans'");
            server.run(FILL);
            return "";
        });
        try (Connection connection = server.autocommit()) {
            server.rows(connection, "SET SHOWPLAN_XML ON");
            if (plans(connection, "SELECT 1").isEmpty()) {
                report.check(AREA, "plans of all statements", () -> {
                    throw new Report.NotChecked("this server shows none");
                });
                return;
            }
            files.forEach(file -> report.check(
                    AREA, file.name() + ".sql", refusable(() -> judge(file, plans(connection, text(file))))));
            PROCEDURES.forEach(call -> report.check(
                    AREA, call, refusable(() -> judge(server.schema(), call, "", plans(connection, call)))));
        } catch (SQLException e) {
            report.check(AREA, "plans of all statements", () -> {
                throw new Report.NotChecked(Errors.text(e));
            });
        }
    }

    /** Plans of what reads the server's own views are shown to who may read these. */
    static Report.Check refusable(Report.Check check) {
        return () -> {
            try {
                return check.run();
            } catch (SQLException e) {
                if (Product.SQL_SERVER.isRefusal(e)) {
                    throw new Report.NotChecked("its plan is not shown to this login: " + Errors.text(e));
                }
                throw e;
            }
        };
    }

    /** The statement as a batch in which its parameters are variables; what is sent as text is looked at from within. */
    static String text(SqlFile file) {
        Matcher inner = INNER.matcher(file.text());
        if (file.isBatch() && inner.find()) {
            return "DECLARE " + inner.group(2) + ";\n" + inner.group(1).replace("''", "'");
        }
        String variables = file.parameters().stream()
                .map(parameter -> "@" + parameter + " " + Values.type(parameter) + " = " + Values.literal(parameter))
                .collect(Collectors.joining(", "));
        return (variables.isEmpty() ? "" : "DECLARE " + variables + ";\n") + file.withVariables();
    }

    private List<String> plans(Connection connection, String batch) throws SQLException {
        List<String> plans = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            boolean isRows = statement.execute(batch.replace("[readpast]", "[" + server.schema() + "]"));
            while (isRows || statement.getUpdateCount() != -1) {
                if (isRows) {
                    try (ResultSet rows = statement.getResultSet()) {
                        while (rows.next()) {
                            String text = rows.getString(1);
                            if (text != null && text.startsWith("<ShowPlanXML")) {
                                plans.add(text);
                            }
                        }
                    }
                }
                isRows = statement.getMoreResults();
            }
        }
        return plans;
    }

    private String judge(SqlFile file, List<String> plans) throws Exception {
        return judge(server.schema(), file.name(), index(file), plans);
    }

    /** What a statement's header says of its indexes. */
    static String index(SqlFile file) {
        String header = file.header().substring(Math.max(0, file.header().indexOf("-- Index:")));
        return header.split("-- Locks:", 2)[0];
    }

    /** Whether the header tells of a scan: of tables that grow with the messages, of this one by its own name or its index's. */
    static boolean isScanMeant(String header, String table, String index) {
        Stream<String> scans = Pattern.compile(";")
                .splitAsStream(header)
                .filter(part -> SCAN.matcher(part).find());
        return LARGE.contains(table)
                ? scans.anyMatch(
                        Pattern.compile("\\b(" + table + "|" + index + ")\\b").asPredicate())
                : scans.findAny().isPresent();
    }

    /**
     * @param index what the statement's header says of its indexes
     */
    static String judge(String schema, String name, String index, List<String> plans) throws Exception {
        if (plans.isEmpty()) {
            throw new Report.NotChecked("the server shows no plan of it");
        }
        Set<String> scans = new LinkedHashSet<>();
        Set<String> used = new LinkedHashSet<>();
        boolean sorts = false;
        for (String plan : plans) {
            for (Element operation : operations(plan)) {
                String kind = operation.getAttribute("PhysicalOp");
                sorts |= kind.contains("Sort");
                Element object = objectOf(operation);
                if (object != null && unquoted(object.getAttribute("Schema")).equals(schema)) {
                    String table = unquoted(object.getAttribute("Table"));
                    used.add(table + "." + unquoted(object.getAttribute("Index")));
                    if (kind.endsWith("Scan")) {
                        String scan = kind + " of " + table + "." + unquoted(object.getAttribute("Index"));
                        scans.add(scan);
                        if (!isScanMeant(index, table, unquoted(object.getAttribute("Index")))) {
                            throw new Report.NotHeld(name + " is to seek and has a " + scan);
                        }
                    }
                }
            }
        }
        if (sorts && index.contains("no sort")) {
            throw new Report.NotHeld(name + " is to read in the order of the index and sorts");
        }
        return String.join(", ", used)
                + (scans.isEmpty() ? "" : "; " + String.join(", ", scans) + ", as its header says");
    }

    private static List<Element> operations(String plan) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        NodeList found = factory.newDocumentBuilder()
                .parse(new InputSource(new StringReader(plan)))
                .getElementsByTagName("RelOp");
        List<Element> operations = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            operations.add((Element) found.item(i));
        }
        return operations;
    }

    /** The table or index of an operation itself, not of one below it. */
    private static Element objectOf(Element operation) {
        NodeList objects = operation.getElementsByTagName("Object");
        for (int i = 0; i < objects.getLength(); i++) {
            Element object = (Element) objects.item(i);
            if (nearestOperation(object) == operation) {
                return object;
            }
        }
        return null;
    }

    private static Element nearestOperation(Element element) {
        Element at = (Element) element.getParentNode();
        while (!at.getTagName().equals("RelOp")) {
            at = (Element) at.getParentNode();
        }
        return at;
    }

    private static String unquoted(String name) {
        return name.replaceAll("^\\[|\\]$", "");
    }
}
