"""Headless Firefox for the tests of the pages, driven as Selenium drives others, but without geckodriver:
what that program passes on is what Firefox's own Marionette protocol says.
"""

import json
import shutil
import socket
import subprocess
import time

import pytest

BROWSERS = ("firefox-esr", "firefox")
# No request leaves this machine; pages are local files. What pages say on the console, Firefox says.
PREFERENCES = {
    "marionette.port": 0,  # one that is free; told in the profile
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "devtools.console.stdout.content": True,
    "browser.dom.window.dump.enabled": True,
}
# What Firefox itself says among it: that it reaches no server, and which sites it mends by its own scripts.
OWN = ("console.error: RSLoader:", 'console.info: "Registered still-not-active content scripts')
# Selenium's name of a command → Marionette's, where that is not the same with a capital.
COMMANDS = {
    "get": "Navigate",
    "getCurrentUrl": "GetCurrentURL",
    "findChildElement": "FindElement",
    "findChildElements": "FindElements",
    "clickElement": "ElementClick",
    "sendKeysToElement": "ElementSendKeys",
    "w3cExecuteScript": "ExecuteScript",
    "w3cExecuteScriptAsync": "ExecuteAsyncScript",
    "quit": "DeleteSession",
}


class Marionette:
    """What Selenium takes for the connection to a driver: one command after another over Firefox's socket."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.stream = self.socket.makefile("rb")
        self.sent = 0
        self._message()

    def _message(self):
        """The next message: its length, a colon, JSON."""
        length = b""
        while (byte := self.stream.read(1)) != b":":
            assert byte, "Firefox has gone"
            length += byte
        return json.loads(self.stream.read(int(length)))

    def execute(self, command, params):
        params = {key: value for key, value in params.items() if key != "sessionId"}
        if "Child" in command:
            params["element"] = params.pop("id")
        self.sent += 1
        name = COMMANDS.get(command, command[0].upper() + command[1:])
        text = json.dumps([0, self.sent, f"WebDriver:{name}", params]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, number, error, result = self._message()
        assert number == self.sent
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        return {"value": result["value"] if isinstance(result, dict) and "value" in result else result}

    def close(self):
        self.socket.close()


def start(folder, downloads):
    """A driver of headless Firefox, its profile in a folder; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        pytest.skip("no Firefox here (Debian: firefox-esr)")
    from selenium import webdriver

    profile, log = folder / "profile", folder / "console.log"
    profile.mkdir(parents=True)
    wanted = PREFERENCES | {"browser.download.folderList": 2, "browser.download.dir": str(downloads)}
    prefs = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in wanted.items()]
    (profile / "user.js").write_text("\n".join(prefs))
    command = [found, "--headless", "--no-remote", "--marionette", "--profile", str(profile)]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=stream)
    told = profile / "MarionetteActivePort"
    while not (told.is_file() and told.read_text()):
        assert process.poll() is None, log.read_text()
        time.sleep(0.02)

    class Firefox(webdriver.Remote):
        name = "firefox"

        def said(self):
            """What pages wrote to the console, and their errors, since the start."""
            lines = log.read_text(errors="replace").splitlines()
            told = [line for line in lines if line.startswith(("console.", "JavaScript error: file:"))]
            return [line for line in told if not line.startswith(OWN)]

        def quit(self):
            super().quit()
            process.terminate()
            process.wait()

    return Firefox(Marionette(int(told.read_text())), options=webdriver.FirefoxOptions())
