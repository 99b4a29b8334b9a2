package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.readpast.console.view.Links;

/** The pages in a real browser: a Chromium that is installed, or the one that READPAST_CHROMIUM and READPAST_CHROMEDRIVER name. */
@Tag("extended")
class BrowserTest {

    private static final Duration TIME = Duration.ofSeconds(60);

    private static ChromeDriver browser;
    private static String axe;

    @BeforeAll
    static void start() throws Exception {
        Optional<Path> chromium = find("READPAST_CHROMIUM", "/usr/bin/chromium");
        Optional<Path> driver = find("READPAST_CHROMEDRIVER", "/usr/bin/chromedriver");
        assumeThat(chromium.isPresent() && driver.isPresent())
                .as("there is no Chromium with its driver: the console was not tried in a browser")
                .isTrue();
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow().toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-extensions");
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(driver.orElseThrow().toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
        browser.manage().timeouts().pageLoadTimeout(TIME).scriptTimeout(TIME);
        try (InputStream in = BrowserTest.class.getResourceAsStream("/axe.min.js")) {
            axe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Optional<Path> find(String variable, String usual) {
        String named = System.getenv(variable);
        return Optional.of(Path.of(named == null ? usual : named)).filter(Files::isExecutable);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
        }
    }

    static Stream<String> products() {
        return Stage.products();
    }

    private static void open(Stage stage, String path) {
        browser.get(stage.console.uri().resolve(path).toString());
    }

    private static void signIn(Stage stage) {
        browser.manage().deleteAllCookies();
        open(stage, "/");
        browser.findElement(By.id("login")).sendKeys(Stage.OPERATOR);
        browser.findElement(By.id("password")).sendKeys(Stage.PASSWORD, Keys.ENTER);
        await().atMost(TIME).until(() -> browser.getTitle().equals("Verdict - Readpast"));
    }

    private static String text() {
        return browser.findElement(By.tagName("body")).getText();
    }

    private static void awaitText(String text) {
        await().atMost(TIME).ignoreExceptions().until(() -> text().contains(text));
    }

    /** Clicks a button as soon as the page has it. A page that fetches itself may just have put another one in its place. */
    private static void click(String button) {
        By place = By.xpath("//button[normalize-space()='" + button + "']");
        await().atMost(TIME).ignoreExceptions().until(() -> {
            browser.findElement(place).click();
            return true;
        });
    }

    @ParameterizedTest
    @MethodSource("products")
    void every_view_is_reached_by_its_link_and_nothing_hostile_runs(String product) throws Exception {
        try (Stage stage = new Stage(product);
                Hostile hostile = new Hostile(stage)) {
            signIn(stage);
            for (String link : List.of(
                    "Queues", "Dead letters", "History", "Consumers", "Subscriptions", "Leases", "Groups", "Verdict")) {
                browser.findElement(By.linkText(link)).click();
                await().atMost(TIME).until(() -> browser.getTitle().equals(link + " - Readpast"));
            }
            for (String path : hostile.pages()) {
                open(stage, path);
                Object seen = browser.executeScript(
                        "return [typeof window.hit, document.images.length,"
                                + " document.querySelectorAll('script').length, document.querySelectorAll('[onerror]').length].join()");
                assertThat(seen).as(path).isEqualTo("undefined,0,1,0");
            }
            // What comes by fetching the page anew goes the same way.
            open(stage, "/queues");
            stage.send("appears later", 1);
            awaitText("appears later");
            assertThat(browser.executeScript("return document.images.length")).isEqualTo(0L);
        }
    }

    @Test
    void axe_has_no_finding_on_any_page_light_dark_or_small() throws Exception {
        String product = Stage.products().anyMatch(Stage.POSTGRESQL::equals) ? Stage.POSTGRESQL : Stage.H2;
        try (Stage stage = new Stage(product);
                Hostile hostile = new Hostile(stage)) {
            browser.manage().deleteAllCookies();
            open(stage, "/sign-in");
            check("/sign-in");
            signIn(stage);
            List<String> pages = Stream.concat(hostile.pages().stream(), Stream.of("/nothing"))
                    .toList();
            for (String page : pages) {
                open(stage, page);
                check(page);
            }
            dark(true);
            for (String page : List.of("/", "/queues", pages.get(9), pages.get(10), "/nothing")) {
                open(stage, page);
                check("dark " + page);
            }
            browser.manage().window().setSize(new Dimension(360, 740));
            for (String page : List.of("/", "/queues", pages.get(9))) {
                open(stage, page);
                check("small " + page);
                assertThat(browser.executeScript(
                                "const all = document.documentElement; return all.scrollWidth > all.clientWidth"))
                        .as("scrolls sideways: " + page)
                        .isEqualTo(false);
            }
        } finally {
            browser.manage().window().setSize(new Dimension(1280, 1000));
            dark(false);
        }
    }

    private static void check(String page) {
        browser.executeScript(axe);
        Object findings = browser.executeAsyncScript("const done = arguments[arguments.length - 1];"
                + "axe.run(document, {resultTypes: ['violations']}).then(result => done(result.violations.map("
                + "finding => finding.id + ': ' + finding.nodes.map(node => node.html).join(' | ')).join('\\n')),"
                + " error => done(String(error)));");
        assertThat(findings).as(page).isEqualTo("");
    }

    @Test
    void an_operator_retries_deletes_and_signs_out_by_keyboard_and_mouse() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.die("work", "DLQ", 3);
            signIn(stage);
            open(stage, "/dead-letters");
            WebElement link = browser.findElement(By.linkText("DLQ"));
            link.sendKeys(Keys.ENTER);
            awaitText("it failed & failed (from work)");
            List<WebElement> choices = browser.findElements(By.cssSelector("input[name=message]"));
            assertThat(choices).hasSize(3);
            choices.get(0).sendKeys(Keys.SPACE);
            click("Retry");
            awaitText("Done: 1 message.");
            check("/job");
            assertThat(stage.depth("work")).isEqualTo(1);

            open(stage, "/messages?queue=" + stage.id("DLQ"));
            browser.findElement(By.cssSelector("input[value=waiting]")).click();
            click("Delete");
            awaitText("Delete ALL messages that are waiting of the queue DLQ? They are gone for good.");
            check("/act");
            click("Yes, delete");
            awaitText("Done: 2 messages.");
            assertThat(stage.depth("DLQ")).isZero();

            click("Sign out");
            await().atMost(TIME).until(() -> browser.getTitle().equals("Sign in - Readpast"));
            browser.navigate().back();
            await().atMost(TIME).until(() -> browser.getTitle().equals("Sign in - Readpast"));
        }
    }

    @Test
    void every_action_is_done_by_its_button() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 6);
            stage.send("other", 1);
            signIn(stage);
            String page = "/messages?queue=" + stage.id("orders");
            for (String action : List.of("Move", "Copy", "Hold", "Expire", "Delete")) {
                open(stage, page);
                browser.findElements(By.cssSelector("input[name=message]"))
                        .get(0)
                        .click();
                if (action.equals("Move") || action.equals("Copy")) {
                    browser.findElement(By.id("target")).sendKeys("other");
                }
                click(action);
                if (action.equals("Expire") || action.equals("Delete")) {
                    click("Yes, " + action.toLowerCase(Locale.ROOT));
                }
                awaitText("Done: 1 message.");
            }
            assertThat(stage.depth("other")).isEqualTo(3);
            assertThat(stage.depth("orders"))
                    .as("one was copied, one has expired")
                    .isEqualTo(3);

            open(stage, page + "&later=yes");
            browser.findElement(By.cssSelector("input[value=held]")).click();
            click("Release");
            awaitText("Release ALL messages that are held of the queue orders?");
            browser.findElement(By.name("rate")).sendKeys("10");
            click("Yes, release");
            awaitText("Done: 1 message.");
            assertThat(stage.depth("orders")).isEqualTo(4);

            open(stage, page);
            click("Pause receiving");
            awaitText("Paused receiving since");
            check("a paused queue");
            click("Resume");
            await().atMost(TIME).ignoreExceptions().until(() -> !text().contains("Paused receiving since"));
            assertThat(stage.number("SELECT COUNT(*) FROM readpast.audit")).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void a_selector_that_is_typed_filters_and_a_wrong_one_says_why(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            stage.send("orders", 12);
            signIn(stage);
            open(stage, "/messages?queue=" + stage.id("orders"));
            browser.findElement(By.id("where")).sendKeys("number BETWEEN 3 AND ", Keys.ENTER);
            awaitText("The selector: ");
            check("a wrong selector");
            browser.findElement(By.id("where")).sendKeys("5", Keys.ENTER);
            awaitText("Searched 12 of about 12, to the end.");
            assertThat(browser.findElements(By.cssSelector("tbody tr"))).hasSize(3);
            check("a selector");
            if (!stage.isH2()) {
                browser.findElement(By.cssSelector("input[value=waiting]")).click();
                click("Delete");
                awaitText("Delete ALL messages that are waiting of the queue orders that match the selector"
                        + " number BETWEEN 3 AND 5? They are gone for good.");
                click("Yes, delete");
                awaitText("Done: 3 messages. Searched 12 of about 12.");
                check("a job with a selector");
                assertThat(stage.depth("orders")).isEqualTo(9);
            }
        }
    }

    @Test
    void what_is_typed_or_chosen_stays_though_the_page_fetches_itself_anew() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 1);
            signIn(stage);
            open(stage, "/messages?queue=" + stage.id("orders"));
            browser.executeScript("const real = window.setTimeout; window.looks = 0;"
                    + " window.setTimeout = (look, millis) => real(() => { window.looks++; look(); }, millis / 10);");
            browser.findElement(By.name("target")).sendKeys("other");
            browser.findElement(By.cssSelector("input[value=waiting]")).click();
            browser.findElement(By.tagName("h1")).click();
            stage.send("orders", 1);
            await().atMost(TIME).until(() -> (Long) browser.executeScript("return window.looks") >= 3);
            WebElement target = browser.findElement(By.name("target"));
            assertThat(target.getDomProperty("value")).isEqualTo("other");
            assertThat(browser.findElement(By.cssSelector("input[value=waiting]"))
                            .isSelected())
                    .isTrue();

            target.clear();
            browser.findElement(By.cssSelector("input[value=chosen]")).click();
            browser.findElement(By.tagName("h1")).click();
            await().atMost(TIME)
                    .until(() ->
                            browser.findElements(By.cssSelector("tbody tr")).size() == 2);
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void depth_change_and_age_of_a_queue_are_drawn_and_said(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            stage.send("orders", 2);
            signIn(stage);
            open(stage, "/queues?contains=orders");
            // What is open here looks by itself too.
            open(stage, "/leases");
            stage.send("orders", 3);
            stage.clock.forward(Duration.ofSeconds(5));
            open(stage, "/queues?contains=orders");
            stage.clock.forward(Duration.ofSeconds(5));
            open(stage, "/queues?contains=orders");
            List<String> said = browser.findElements(By.cssSelector("svg[role=img]")).stream()
                    .map(line -> line.getAttribute("aria-label"))
                    .toList();
            assertThat(said).hasSize(3);
            assertThat(said.get(0)).startsWith("from 2 to 5, at most 5, within ");
            assertThat(said.get(1)).startsWith("from +0.6/s to +0.0/s, at most +0.6/s, within ");
            assertThat(said.get(2)).matches("from \\d+ s to \\d+ s, at most \\d+ s, within .*");
            for (WebElement line : browser.findElements(By.cssSelector("svg[role=img] polyline"))) {
                assertThat(line.getCssValue("stroke")).isNotEqualTo("none");
                assertThat(line.getSize().getWidth()).isPositive();
            }
            check("lines");
        }
    }

    /** With {@code -Dreadpast.pictures=FOLDER} the pictures of docs/console.md are made anew. */
    @Test
    void pictures_of_the_documentation_are_made_where_they_are_asked_for() throws Exception {
        String folder = System.getProperty("readpast.pictures");
        assumeThat(folder).as("no pictures were asked for").isNotNull();
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.die("payments", "DLQ", 3);
            stage.run(
                    "UPDATE readpast.message SET properties = '{\"JMS_READPAST_OriginalDestination\":\"queue://payments\","
                            + "\"JMS_READPAST_DeadLetterReason\":\"delivered 3 times without being acknowledged; the last:"
                            + " java.net.ConnectException: Connection refused\",\"JMS_READPAST_Deliveries\":3}'");
            signIn(stage);
            for (int sent : new int[] {4, 1, 6, 2, 0, 9, 1}) {
                stage.send("orders", sent);
                stage.send("reports", sent / 2);
                stage.clock.forward(Duration.ofSeconds(30));
                open(stage, "/queues");
            }
            picture(folder, "console-queues", 1180, 330);
            open(stage, Links.messages(stage.id("orders"), false, "number BETWEEN 4 AND 7", null));
            picture(folder, "console-messages", 1180, 560);
            dark(true);
            open(stage, "/dead-letters");
            picture(folder, "console-dead-letters", 1180, 470);
            open(stage, "/");
            picture(folder, "console-phone", 390, 700);
        } finally {
            dark(false);
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    private static void picture(String folder, String name, int width, int height) throws Exception {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        Files.write(Path.of(folder, name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    private static void dark(boolean isDark) {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        isDark ? List.of(Map.of("name", "prefers-color-scheme", "value", "dark")) : List.of()));
    }

    @Test
    void an_open_page_says_that_the_database_is_away_and_leads_to_the_sign_in() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            signIn(stage);
            open(stage, "/leases");
            stage.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name = 'readpast-console' AND datname = current_database()");
            awaitText("This page could not be brought up to date.");
            assertThat(text()).contains("No message is claimed by lease.");
            await().atMost(TIME).until(() -> browser.getTitle().equals("Sign in - Readpast"));
        }
    }

    @Test
    void an_open_page_notices_that_its_session_is_over() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            signIn(stage);
            open(stage, "/leases");
            stage.clock.forward(Duration.ofMinutes(16));
            await().atMost(TIME).until(() -> browser.getTitle().equals("Sign in - Readpast"));
        }
    }
}
