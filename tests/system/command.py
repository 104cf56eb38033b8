"""Commands of the program as their users call them: what a call says, what wrong usage says, and what an interrupt leaves running.
Shared by the tests of weir bench, compare, run, scale and trace."""
import contextlib
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case


class CommandTest(weir_case.CaseTest):
    words = []  # of the command, before what a test adds
    workers = 2  # on CPU cores
    variables = {}  # of the environment, besides; None: not there
    timeout = 600  # seconds that no call takes

    @classmethod
    def environment(cls, **variables):
        mixed = {**weir_case.environment(cls.workers), **cls.variables, **variables}
        return {name: value for name, value in mixed.items() if value is not None}

    def call(self, *arguments, code=0, words=None, env=None, **options):
        """Calls the command, which must end with this exit code. env: changes of the environment; options: subprocess.run's."""
        words = self.words if words is None else words
        options = {"timeout": self.timeout, **options}
        done = subprocess.run([weir_case.program, *words, *arguments], env=self.environment(**(env or {})), capture_output=True, text=True,
                              **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def check_wrong_usage(self, calls, **options):
        """Of each call (arguments, words): one line on stderr has the words, whatever else is wrong, and nothing was begun."""
        for arguments, words in calls:
            with self.subTest(arguments):
                done = self.call(*arguments, code=2, **options)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertEqual(done.stdout, "")
                if "--nonsense" not in arguments:  # which is followed by the usage
                    self.assertRegex(done.stderr, r"\Aweir: [^\n]+\n\Z")

    @contextlib.contextmanager
    def started(self, *arguments, **streams):
        """The command, under way; it is ended with the block."""
        with subprocess.Popen([weir_case.program, *self.words, *arguments], env=self.environment(), text=True, **streams) as process:
            try:
                yield process
            finally:
                process.kill()

    def check_interrupted(self, process, signal):
        """Sends the signal to what was started, which must end by it. Returns what it said on stdout and stderr since."""
        process.send_signal(signal)
        out, said = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("interrupted", said)
        return out, said

    def check_none_left(self, text, patience=0):
        """No process has this text in its command line; not after so many seconds, at least."""
        end = time.monotonic() + patience
        while naming(text) and time.monotonic() < end:
            time.sleep(0.2)
        self.assertEqual(naming(text), [])


def naming(text):
    """Command lines of all processes that have this text in theirs."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{number}/cmdline") as file:
            found.append(file.read())
    return [line for line in found if text in line]
