package org.readpast.console.pages;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.readpast.console.http.Reply;
import org.readpast.console.session.SignedIn;
import org.readpast.console.view.Page;
import org.readpast.console.view.Text;
import org.readpast.operations.database.Product;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which path is which page. Thread-safe. */
public final class Pages {

    private static final Logger LOG = LoggerFactory.getLogger(Pages.class);

    /** A page, or what a form does. */
    interface Answerer {
        Reply answer(Visit visit) throws Exception;
    }

    private final TemplateEngine templates = TemplateEngine.createPrecompiled(
            null, ContentType.Html, Pages.class.getClassLoader(), "org.readpast.console.pages");
    private final Map<String, Answerer> pages = new HashMap<>();
    private final Map<String, Answerer> forms = new HashMap<>();

    /**
     * All pages.
     *
     * @param silenced the file of findings that are silenced; null for none
     */
    public Pages(Actions actions, Path silenced) {
        pages.put("/", new VerdictPage(this, silenced)::show);
        pages.put("/queues", new QueuesPage(this)::show);
        TablePages tables = new TablePages(this);
        pages.put("/dead-letters", tables::deadLetters);
        pages.put("/history", tables::history);
        pages.put("/consumers", tables::consumers);
        pages.put("/subscriptions", tables::subscriptions);
        pages.put("/leases", tables::leases);
        pages.put("/groups", tables::groups);
        MessagePages messages = new MessagePages(this);
        pages.put("/messages", messages::list);
        pages.put("/message", messages::one);
        pages.put("/job", visit -> actions.job(visit, this));
        forms.put("/act", visit -> actions.act(visit, this));
        forms.put("/pause", visit -> actions.pause(visit, this));
        forms.put("/stop", actions::stop);
    }

    /** Whether there is a page or a form of this path. */
    public boolean has(String path) {
        return pages.containsKey(path) || forms.containsKey(path);
    }

    /** A page; whatever goes wrong becomes a page of its own. */
    public Reply get(String path, Visit visit) {
        return answer(pages.get(path), visit);
    }

    /** What a form does; whatever goes wrong becomes a page. */
    public Reply post(String path, Visit visit) {
        return answer(forms.get(path), visit);
    }

    private Reply answer(Answerer page, Visit visit) {
        if (page == null) {
            return error(405, visit.user(), "Not this way", "This address is not called like that.");
        }
        try {
            return page.answer(visit);
        } catch (Visit.Malformed e) {
            return error(400, visit.user(), "Not understood", e.getMessage());
        } catch (SignedIn.Busy e) {
            return error(503, visit.user(), "Busy", "Both of your connections are in use. Try again in a moment.");
        } catch (SQLException e) {
            // Without its text, which may have something of a message in it.
            LOG.info(
                    "The database answered {} with an error: {} ({})",
                    Text.line(visit.user().name()),
                    e.getSQLState(),
                    e.getErrorCode());
            return Stream.of(Product.values()).anyMatch(product -> product.isRefusal(e))
                    ? error(403, visit.user(), "Not allowed", Text.of(e))
                    : error(503, visit.user(), "The database did not answer as it should", Text.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return error(503, visit.user(), "Stopping", "The console is being stopped.");
        } catch (Exception e) {
            LOG.error("A page failed", e);
            return error(500, visit.user(), "The console failed", "Its log has more.");
        }
    }

    /**
     * A page that says what went wrong.
     *
     * @param user null for nobody
     */
    public Reply error(int status, SignedIn user, String title, String text) {
        return Reply.html(status, render("error", page(title, "", user, 0), Map.of("text", text)));
    }

    /** What a page of this user has around it. */
    public static Page page(String title, String here, SignedIn user, int liveSeconds) {
        return new Page(title, here, user == null ? null : user.name(), user == null ? "" : user.csrf(), liveSeconds);
    }

    /**
     * A page as HTML.
     *
     * @param template its name
     * @param model what the template takes beside the page
     */
    public String render(String template, Page page, Map<String, Object> model) {
        Map<String, Object> all = new HashMap<>(model);
        all.put("page", page);
        StringOutput output = new StringOutput();
        templates.render(template + ".jte", all, output);
        return output.toString();
    }
}
