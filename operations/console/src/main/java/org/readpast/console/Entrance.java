package org.readpast.console;

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
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.FormFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who comes in: signs in and out, and leads those who have signed in to the pages. Thread-safe. */
final class Entrance extends Handler.Abstract {

    private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);
    private static final String SIGN_IN = "/sign-in";
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

    private volatile String cookie;

    Entrance(Settings settings, Database database, Pages pages, Throttle throttle, Clock clock) {
        this.settings = settings;
        this.database = database;
        this.pages = pages;
        this.throttle = throttle;
        this.clock = clock;
    }

    /**
     * The name of its cookie. Cookies know no port: of two consoles each would take the other's.
     */
    void cookie(String name) {
        cookie = name;
    }

    private static Reply file(String name, String type) {
        return new Reply(200, type, Console.resource(name), null);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Guard.formIsThere(request);
        String path = Request.getPathInContext(request);
        Reply file = FILES.get(path);
        if (file != null) {
            response.getHeaders().put("Cache-Control", "private, max-age=300");
        }
        Console.write(file != null ? file : answer(path, request, response), response, callback);
        return true;
    }

    private Reply answer(String path, Request request, Response response) {
        boolean isForm = HttpMethod.POST.is(request.getMethod());
        Proxy.Named named;
        try {
            named = isOfProxy(request) ? settings.proxy().named(request) : null;
        } catch (Proxy.Refused e) {
            LOG.warn("Refused from {}: {}", Request.getRemoteAddr(request), e.getMessage());
            return Reply.text(403, e.getMessage());
        }
        SignedIn user = user(request, named);
        Fields fields;
        try {
            fields = isForm
                    ? FormFields.getFields(request)
                    : Request.extractQueryParameters(request, StandardCharsets.UTF_8);
        } catch (RuntimeException e) {
            return Reply.text(400, "This form or address is not understood.");
        }
        if (named != null && (path.equals(SIGN_IN) || (user == null && isForm))) {
            return Reply.goTo("/");
        }
        if (user == null
                && named != null
                && pages.has(path)
                && !request.getHeaders().contains(LIVE)) {
            try {
                user = enter(request, response, named);
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
        if (path.equals(SIGN_IN)) {
            return isForm ? signIn(request, response, fields) : user == null ? form(200, "") : Reply.goTo("/");
        }
        if (user == null) {
            return request.getHeaders().contains(LIVE)
                    ? Reply.text(401, "signed out")
                    : path.equals("/") || pages.has(path) ? Reply.goTo(SIGN_IN) : Reply.text(404, "Not found");
        }
        if (isForm && !isOurs(fields.getValue("csrf"), user)) {
            return Reply.text(403, "This form is not from your session. Go back, load the page anew, and try again.");
        }
        if (!request.getHeaders().contains(LIVE)) {
            user.touch();
        }
        if (path.equals("/sign-out") && isForm) {
            return signOut(user);
        }
        if (!pages.has(path)) {
            return pages.error(404, user, "Not found", "There is no such page.");
        }
        Visit visit = new Visit(user, fields);
        return isForm ? pages.post(path, visit) : pages.get(path, visit);
    }

    private static boolean isOurs(String csrf, SignedIn user) {
        return csrf != null
                && MessageDigest.isEqual(
                        csrf.getBytes(StandardCharsets.UTF_8), user.csrf().getBytes(StandardCharsets.UTF_8));
    }

    private boolean isOfProxy(Request request) {
        return settings.proxy() != null && settings.proxy().isPeer(request);
    }

    /** Null where nobody has signed in, the session is over, or it is somebody else's. */
    private SignedIn user(Request request, Proxy.Named named) {
        SignedIn user = of(request);
        if (user != null && (user.isOver(settings.idle(), settings.longest()) || !user.is(named))) {
            end(user);
            return null;
        }
        return user;
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
                status, pages.render("sign-in", Pages.page("Sign in", SIGN_IN, null, 0), Map.of("text", text)));
    }

    private Reply signIn(Request request, Response response, Fields fields) {
        String login = fields.getValue("login");
        String password = fields.getValue("password");
        String address = Request.getRemoteAddr(request);
        // Without a password drivers look for one of who runs the console.
        // A control character ends the name for one database and belongs to it for another.
        if (login == null
                || login.isBlank()
                || login.chars().anyMatch(Character::isISOControl)
                || login.length() > LONGEST_NAME
                || password == null
                || password.isEmpty()) {
            return form(400, "Name and password of a login of the database are needed.");
        }
        if (isFull(of(request))) {
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
            return form(
                    403,
                    "The database did not let you in: name or password are wrong, or it is not there."
                            + " The log of the console says which.");
        }
        throttle.succeeded(login, address);
        try {
            begin(request, response, user);
        } catch (Full e) {
            return form(503, e.getMessage());
        }
        LOG.info("{} signed in from {}", Text.line(login), address);
        return Reply.goTo("/");
    }

    /** Lets in whom the proxy names, by the login of his role. */
    private SignedIn enter(Request request, Response response, Proxy.Named named) throws Full, SQLException {
        if (isFull(of(request))) {
            throw new Full(FULL);
        }
        SignedIn user =
                SignedIn.open(database, named.role().login(), named.role().password(), named.user(), clock);
        begin(request, response, user);
        LOG.info(
                "{}, as the proxy {} says, came in as {}",
                Text.line(named.user()),
                Request.getRemoteAddr(request),
                named.role().login());
        return user;
    }

    /** Begins a session, or closes its connections again. */
    private void begin(Request request, Response response, SignedIn user) throws Full {
        synchronized (sessions) {
            SignedIn before = of(request);
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
        Response.addCookie(
                response,
                HttpCookie.build(cookie, user.session())
                        .path("/")
                        .httpOnly(true)
                        .secure(settings.isSecure())
                        .sameSite(HttpCookie.SameSite.STRICT)
                        .build());
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
    private SignedIn of(Request request) {
        return Request.getCookies(request).stream()
                .filter(sent -> sent.getName().equals(cookie))
                .map(sent -> sessions.get(sent.getValue()))
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
        return Reply.goTo(SIGN_IN);
    }
}
