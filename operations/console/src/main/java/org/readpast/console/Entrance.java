package org.readpast.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.console.http.Call;
import org.readpast.console.http.Reply;
import org.readpast.console.pages.Pages;
import org.readpast.console.pages.Visit;
import org.readpast.console.session.Database;
import org.readpast.console.session.SignedIn;
import org.readpast.console.session.Throttle;
import org.readpast.console.view.Text;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who comes in: signs in and out, and leads those who have signed in to the pages. Thread-safe. */
final class Entrance {

    private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);
    private static final String SIGN_IN = "/sign-in";
    private static final String SIGN_OUT = "/sign-out";
    private static final String SET_COOKIE = "Set-Cookie";
    private static final String LIVE = "X-Readpast-Live";
    private static final int LONGEST_NAME = 256;
    private static final int OF_LOGIN = 3;
    private static final String FULL = "So many are signed in that nobody else can be. Try again later.";

    private static final Map<String, Reply> FILES = Map.of(
            "/static/console.css", file("console.css", "text/css; charset=utf-8"),
            "/static/console.js", file("console.js", "text/javascript; charset=utf-8"),
            "/static/icon.svg", file("icon.svg", "image/svg+xml"));

    /** No more can be signed in. */
    private static final class Full extends Exception {
        private static final long serialVersionUID = 1L;

        Full(String message) {
            super(message);
        }
    }

    private final Settings settings;
    private final Database database;
    private final Pages pages;
    private final Throttle throttle;
    private final Clock clock;
    /** By what the cookie has. Who begins holds its lock, so that no more begin than may. */
    private final Map<String, SignedIn> sessions = new ConcurrentHashMap<>();

    Entrance(Settings settings, Database database, Pages pages, Throttle throttle, Clock clock) {
        this.settings = settings;
        this.database = database;
        this.pages = pages;
        this.throttle = throttle;
        this.clock = clock;
    }

    private static Reply file(String name, String type) {
        return new Reply(200, type, resource(name), Map.of("Cache-Control", "private, max-age=300"));
    }

    /** A file of the jar. */
    private static byte[] resource(String name) {
        try (InputStream in = Entrance.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers a request. */
    Reply answer(Call call) {
        Reply file = FILES.get(call.path());
        if (file != null) {
            return file;
        }
        Proxy.Named named;
        try {
            named = settings.proxy() != null && settings.proxy().isPeer(call)
                    ? settings.proxy().named(call)
                    : null;
        } catch (Proxy.Refused e) {
            LOG.warn("Refused from {}: {}", call.remoteAddress(), e.getMessage());
            return Reply.text(403, e.getMessage());
        }
        SignedIn user = user(call, named);
        Map<String, List<String>> fields;
        try {
            fields = call.fields();
        } catch (RuntimeException e) {
            return Reply.text(400, "This form or address is not understood.");
        }
        if (named != null
                && (call.path().equals(SIGN_IN) || (user == null && call.path().equals(SIGN_OUT)))) {
            return Reply.goTo(".");
        }
        if (named != null && user == null && call.isForm()) {
            return Reply.text(
                    409, "Your session was over, and nothing was done. Go back, load the page anew, and try again.");
        }
        if (user == null && named != null && pages.has(call.path()) && !isLive(call)) {
            return enterAndLook(call, named, fields);
        }
        return answer(call, new Visit(user, fields));
    }

    private Reply answer(Call call, Visit visit) {
        SignedIn user = visit.user();
        if (call.path().equals(SIGN_IN)) {
            return call.isForm() ? signIn(call, visit) : user == null ? form(200, "") : Reply.goTo(".");
        }
        if (user == null) {
            return isLive(call)
                    ? Reply.text(401, "signed out")
                    : pages.has(call.path()) ? Reply.goTo("sign-in") : Reply.text(404, "Not found");
        }
        if (call.isForm() && !isOurs(visit.text("csrf"), user)) {
            return Reply.text(403, "This form is not from your session. Go back, load the page anew, and try again.");
        }
        if (!isLive(call)) {
            user.touch();
        }
        if (call.path().equals(SIGN_OUT) && call.isForm()) {
            return signOut(user);
        }
        if (!pages.has(call.path())) {
            // Links of a page would lead elsewhere from deeper below.
            return call.path().lastIndexOf('/') > 0
                    ? Reply.text(404, "Not found")
                    : pages.error(404, user, "Not found", "There is no such page.");
        }
        return call.isForm() ? pages.post(call.path(), visit) : pages.get(call.path(), visit);
    }

    /** What a page fetches by itself. */
    private static boolean isLive(Call call) {
        return call.header(LIVE) != null;
    }

    private Reply enterAndLook(Call call, Proxy.Named named, Map<String, List<String>> fields) {
        try {
            SignedIn user = enter(call, named);
            return answer(call, new Visit(user, fields))
                    .with(SET_COOKIE, call.cookie().with(user.session()));
        } catch (Full e) {
            return Reply.text(503, e.getMessage());
        } catch (SQLException e) {
            LOG.error(
                    "{} could not sign in for users of the proxy: {}",
                    named.role().login(),
                    Text.line(Text.of(e)));
            return Reply.text(503, "The database did not let the console in. Its log says why.");
        }
    }

    private static boolean isOurs(String csrf, SignedIn user) {
        return MessageDigest.isEqual(
                csrf.getBytes(StandardCharsets.UTF_8), user.csrf().getBytes(StandardCharsets.UTF_8));
    }

    /** Null where nobody has signed in, the session is over, or it is somebody else's. */
    private SignedIn user(Call call, Proxy.Named named) {
        SignedIn user = of(call);
        if (user != null && (user.isOver(settings.idle(), settings.longest()) || !isOf(user, named))) {
            end(user);
            return null;
        }
        return user;
    }

    /** Whether somebody is who the proxy says that a request is from; with null, whether he has signed in himself. */
    private static boolean isOf(SignedIn user, Proxy.Named named) {
        return named == null
                ? user.claimedUser() == null
                : user.is(named.user(), named.role().login());
    }

    /** Ends the sessions that nobody has come back to. */
    void sweep() {
        for (SignedIn user : sessions.values()) {
            if (user.isOver(settings.idle(), settings.longest())) {
                end(user);
            }
        }
    }

    private void end(SignedIn user) {
        sessions.remove(user.session());
        user.close();
    }

    /** Ends all sessions. */
    void close() {
        sessions.values().forEach(this::end);
    }

    private Reply form(int status, String text) {
        return Reply.html(
                status, pages.render("sign-in", Pages.page("Sign in", "sign-in", null, 0), Map.of("text", text)));
    }

    private Reply signIn(Call call, Visit visit) {
        String login = visit.text("login");
        String password = visit.text("password");
        String address = call.remoteAddress();
        // Without a password drivers look for one of who runs the console.
        // A control character ends the name for one database and belongs to it for another.
        if (login.isBlank()
                || login.chars().anyMatch(Character::isISOControl)
                || login.length() > LONGEST_NAME
                || password.isEmpty()) {
            return form(400, "Name and password of a login of the database are needed.");
        }
        if (isFull(of(call))) {
            return form(503, FULL);
        }
        if (!throttle.begin(login, address)) {
            LOG.warn("Too many attempts to sign in as {} from {}", Text.line(login), address);
            return form(429, "There were too many attempts. Try again in ten minutes.");
        }
        SignedIn user;
        try {
            user = SignedIn.open(database, login, password, null, clock);
        } catch (SQLException e) {
            LOG.warn("{} could not sign in from {}: {}", Text.line(login), address, Text.line(Text.of(e)));
            if (Database.isAway(e)) {
                throttle.takeBack(login, address);
                return form(
                        503,
                        "The database is away or cannot be opened, or takes no more connections: the log of the console says more."
                                + " Try again later.");
            }
            return form(
                    403,
                    "The database did not let you in: name or password are wrong, or there is no such database."
                            + " The log of the console says which.");
        }
        throttle.succeeded(login, address);
        try {
            begin(call, user);
        } catch (Full e) {
            return form(503, e.getMessage());
        }
        LOG.info("{} signed in from {}", Text.line(login), address);
        return Reply.goTo(".").with(SET_COOKIE, call.cookie().with(user.session()));
    }

    /** Lets in whom the proxy names, by the login of his role. */
    private SignedIn enter(Call call, Proxy.Named named) throws Full, SQLException {
        if (isFull(of(call))) {
            throw new Full(FULL);
        }
        SignedIn user =
                SignedIn.open(database, named.role().login(), named.role().password(), named.user(), clock);
        begin(call, user);
        LOG.info(
                "{}, as the proxy {} says, came in as {}",
                Text.line(named.user()),
                call.remoteAddress(),
                named.role().login());
        return user;
    }

    /** Begins a session, or closes its connections again. */
    private void begin(Call call, SignedIn user) throws Full {
        synchronized (sessions) {
            SignedIn before = of(call);
            List<SignedIn> same = sessions.values().stream()
                    .filter(other ->
                            other != before && Throttle.account(other.name()).equals(Throttle.account(user.name())))
                    .toList();
            if (same.size() >= OF_LOGIN && !makesPlace(user, same)) {
                user.close();
                throw new Full("This login has three sessions. Sign out of one, or wait until one has ended.");
            }
            if (isFull(before)) {
                user.close();
                throw new Full(FULL);
            }
            sessions.put(user.session(), user);
            if (before != null) {
                end(before);
            }
        }
    }

    /** A link from elsewhere comes without the cookie, and who is named by a proxy begins another session with each: the one that rests longest ends. */
    private boolean makesPlace(SignedIn user, List<SignedIn> same) {
        Optional<SignedIn> resting = same.stream()
                .filter(other -> user.claimedUser() != null
                        && other.claimedUser() != null
                        && other.running().isEmpty())
                .min(Comparator.comparing(SignedIn::used));
        resting.ifPresent(this::end);
        return resting.isPresent();
    }

    /** Whose cookie a request has; null for nobody's. */
    private SignedIn of(Call call) {
        return call.cookies(call.cookie().name()).stream()
                .map(sessions::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Whether nobody else can come in, but in the place of him who is there already. */
    private boolean isFull(SignedIn before) {
        return sessions.size() - (before == null ? 0 : 1) >= settings.users();
    }

    private Reply signOut(SignedIn user) {
        end(user);
        LOG.info("{} signed out", Text.line(user.name()));
        return Reply.goTo("sign-in");
    }
}
