"""Opens a page in a browser without a screen, reads what it has drawn, and handles it; shared by the tests of pages."""
import fcntl
import html.parser
import json
import os
import select
import shutil
import subprocess
import time

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Elements(html.parser.HTMLParser):
    """Tags of a page with their attributes, and the text of cells that have a key."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.cells, self.key = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if tag == "td":
            self.key = attributes.get("data-key")

    def handle_data(self, text):
        if self.key:
            self.cells[self.key] = self.cells.get(self.key, "") + text

    def handle_endtag(self, tag):
        if tag == "td":
            self.key = None

    def find(self, tag, word=None):
        return [attributes for name, attributes in self.tags
                if name == tag and (word is None or word in (attributes.get("class") or "").split())]


def draw(test, page, size="1240,4000"):
    """The page's elements once its scripts have run, as text; there must be no complaint of theirs, and something to see."""
    folder = test.folder()
    shot = os.path.join(folder, "page.png")
    flags = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
             f"--user-data-dir={folder}/profile", "--virtual-time-budget=5000", "--enable-logging=stderr", f"--window-size={size}"]
    address = "file://" + page
    drawn = subprocess.run([*flags, "--dump-dom", address], capture_output=True, text=True, timeout=300)
    test.assertEqual(drawn.returncode, 0, drawn.stderr)
    test.assertEqual([line for line in drawn.stderr.splitlines() if "CONSOLE" in line.upper()], [])
    subprocess.run([*flags, f"--screenshot={shot}", address], capture_output=True, check=True, timeout=300)
    test.assertGreater(os.path.getsize(shot), 50000)  # pictures, not an empty page
    return drawn.stdout


class Window:
    """A page that stays open, for the mouse to move in: Chrome's own protocol, over a pair of pipes (its descriptors 3 and 4)."""

    def __init__(self, test, page, width=1240, height=2200):
        self.test, self.count, self.rest, self.complaints, self.loaded = test, 0, b"", [], False
        requests, answers = os.pipe(), os.pipe()
        # Numbers out of the way of 3 and 4, so that neither overwrites the other.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (requests[0], answers[1])]
        flags = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                 f"--user-data-dir={test.folder()}/profile", "--remote-debugging-pipe", f"--window-size={width},{height}", "about:blank"]
        quiet = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (1, 2)]
        self.process = os.posix_spawn(BROWSER, flags, os.environ,
                                      file_actions=[*quiet, *((os.POSIX_SPAWN_DUP2, end, 3 + k) for k, end in enumerate(ends))])
        for end in (*ends, requests[0], answers[1]):
            os.close(end)
        self.out, self.into = requests[1], answers[0]
        test.addCleanup(self.close)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Page.navigate", url="file://" + page)
        until = time.monotonic() + 120
        while not self.loaded:
            self.receive(until)
        self.wait("document.documentElement.dataset.drawn === 'yes'")

    def close(self):
        os.close(self.out)  # at which the browser ends
        os.close(self.into)
        os.waitpid(self.process, 0)

    def receive(self, until):
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            ready = left > 0 and select.select([self.into], [], [], left)[0]
            part = os.read(self.into, 1 << 20) if ready else b""
            if not part:
                raise AssertionError("the browser does not answer")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        if message.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.complaints.append(message["params"])
        self.loaded = self.loaded or message.get("method") == "Page.loadEventFired"
        return message

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + 120
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]

    def value(self, expression):
        """Of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression):
        until = time.monotonic() + 60
        while not self.value(expression):
            if time.monotonic() > until:
                raise AssertionError(f"never: {expression}")
            time.sleep(0.05)

    def mouse(self, kind, x, y, **more):
        """mouseMoved, mousePressed, mouseReleased or mouseWheel, at a place in the window."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
