"use strict";
// Fetches the page anew and puts its content in the place of what is there. The server has escaped it, and the policy lets nothing run.
(() => {
  const main = document.getElementById("main");
  const status = document.getElementById("status");
  const live = document.getElementById("live");

  function isBusy() {
    const active = document.activeElement;
    const isInForm = main.contains(active) && active.matches("input, button, select, textarea");
    const isSelecting = String(document.getSelection()) !== "";
    const isChanged = Array.from(main.querySelectorAll("input:not([type=hidden])"))
      .some((input) => input.value !== input.defaultValue || input.checked !== input.defaultChecked);
    return document.hidden || isInForm || isSelecting || isChanged || (live !== null && !live.checked);
  }

  function replace(next) {
    const active = document.activeElement;
    const links = Array.from(main.querySelectorAll("a"));
    const at = links.indexOf(active);
    const href = at < 0 ? null : active.getAttribute("href");
    const scrolled = Array.from(main.querySelectorAll(".wide")).map((wide) => wide.scrollLeft);
    const regions = Array.from(main.querySelectorAll(".wide"));
    const region = regions.indexOf(active);
    main.replaceChildren(...next.childNodes);
    main.dataset.live = next.dataset.live;
    const wides = Array.from(main.querySelectorAll(".wide"));
    wides.forEach((wide, index) => { wide.scrollLeft = scrolled[index] || 0; });
    if (href !== null) {
      const same = Array.from(main.querySelectorAll("a")).filter((link) => link.getAttribute("href") === href);
      (same[0] || main).focus({ preventScroll: true });
    } else if (region >= 0) {
      (wides[region] || main).focus({ preventScroll: true });
    }
  }

  async function refresh() {
    if (!isBusy()) {
      try {
        const answer = await fetch(location.href, { headers: { "X-Readpast-Live": "1" }, redirect: "error" });
        if (answer.status === 401) {
          location.assign("sign-in");
          return;
        }
        show(answer.ok, await answer.text());
      } catch (error) {
        say("The console does not answer.");
      }
    }
    again();
  }

  function show(isGood, text) {
    if (!isGood) {
      say("This page could not be brought up to date.");
      return;
    }
    const next = new DOMParser().parseFromString(text, "text/html").getElementById("main");
    if (next === null || isBusy()) {
      return;
    }
    if (next.innerHTML !== main.innerHTML) {
      replace(next);
    }
    const told = main.querySelector("[data-status]");
    say(told === null ? "" : told.dataset.status);
  }

  function say(text) {
    if (status.textContent !== text) {
      status.textContent = text;
    }
  }

  function again() {
    const seconds = Number(main.dataset.live);
    if (seconds > 0) {
      setTimeout(refresh, seconds * 1000);
    }
  }

  // A browser may keep a page that one has left, and show it when one goes back, though its session is over.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) {
      location.reload();
    }
  });

  again();
})();
