"""Opens a page in a browser without a screen, and reads what it has drawn; shared by the tests of pages."""
import html.parser
import os
import shutil
import subprocess

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
