"""What the standard library has deprecated or removed, by the version of Python that says so, and what to use instead.

From the "Deprecated" and "Removed" sections of "What's New in Python" 3.0 to 3.14. Behind ``*.`` stand methods whose
object is not known, by names that nothing else uses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_TABLE: Final = """
removed 3.0: string.maketrans > str.maketrans; os.getcwdu > os.getcwd; os.popen2 > subprocess
removed 3.0: *.has_key > the operator in; *.iteritems > items; *.itervalues > values; *.iterkeys > keys
removed 3.2: *.assertItemsEqual > assertCountEqual
removed 3.8: platform.linux_distribution platform.dist > the package distro; cgi.escape > html.escape
removed 3.8: time.clock > time.perf_counter
removed 3.9: fractions.gcd > math.gcd; base64.encodestring > base64.encodebytes; *.isAlive > is_alive
removed 3.9: base64.decodestring > base64.decodebytes; sys.setcheckinterval > sys.setswitchinterval
removed 3.9: dummy_threading > threading
removed 3.10: collections.Mapping collections.MutableMapping collections.Iterable collections.Sequence > collections.abc
removed 3.10: collections.Callable collections.Hashable collections.Iterator collections.Set > collections.abc
removed 3.10: collections.MutableSet > collections.abc; parser > ast; formatter > textwrap
removed 3.11: asyncio.coroutine > async def; inspect.getargspec inspect.formatargspec > inspect.signature
removed 3.11: gettext.lgettext > gettext.gettext; binhex > base64
removed 3.12: asynchat asyncore > asyncio; imp > importlib; distutils > setuptools or packaging
removed 3.12: smtpd > the package aiosmtpd; pkgutil.ImpImporter > importlib; locale.format > locale.format_string
removed 3.12: configparser.SafeConfigParser > configparser.ConfigParser; sqlite3.OptimizedUnicode > str
removed 3.12: ssl.wrap_socket > ssl.SSLContext.wrap_socket; ssl.match_hostname > ssl.SSLContext.check_hostname
removed 3.12: importlib.find_loader > importlib.util.find_spec; *.assertEquals > assertEqual
removed 3.12: *.assertNotEquals > assertNotEqual; *.assert_ *.failUnless > assertTrue; *.failIf > assertFalse
removed 3.12: *.assertAlmostEquals > assertAlmostEqual; *.assertRegexpMatches > assertRegex
removed 3.12: *.assertRaisesRegexp > assertRaisesRegex; *.assertNotRegexpMatches > assertNotRegex
removed 3.12: *.failUnlessEqual > assertEqual; *.assertNotAlmostEquals > assertNotAlmostEqual
removed 3.13: aifc audioop ossaudiodev sndhdr sunau > a package for audio; cgi > urllib.parse or a web framework
removed 3.13: cgitb > traceback; chunk > a package for IFF; crypt > hashlib or a package for passwords
removed 3.13: imghdr > a package for images; mailcap > mimetypes; msilib > a package for installers
removed 3.13: nis > a package for NIS; nntplib > a package for NNTP; pipes > subprocess; spwd > a package for PAM
removed 3.13: telnetlib > a package for Telnet; uu > base64; xdrlib > struct; lib2to3 > ast or libcst
removed 3.13: locale.resetlocale > locale.setlocale; unittest.makeSuite unittest.findTestCases > unittest.TestLoader
removed 3.14: ast.Num ast.Str ast.Bytes ast.NameConstant > ast.Constant
removed 3.14: pkgutil.find_loader pkgutil.get_loader > importlib.util.find_spec
deprecated 3.3: logging.warn > logging.warning
deprecated 3.10: threading.currentThread > threading.current_thread; threading.activeCount > threading.active_count
deprecated 3.11: locale.getdefaultlocale > locale.getlocale
deprecated 3.12: datetime.datetime.utcnow > datetime.now(timezone.utc)
deprecated 3.12: datetime.datetime.utcfromtimestamp > datetime.fromtimestamp(..., timezone.utc)
deprecated 3.12: asyncio.get_event_loop > asyncio.run or asyncio.get_running_loop
deprecated 3.14: asyncio.get_event_loop_policy asyncio.set_event_loop_policy > asyncio.run with loop_factory
deprecated 3.14: asyncio.iscoroutinefunction > inspect.iscoroutinefunction; codecs.open > open
"""


def _read(table: str) -> Mapping[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for line in table.strip().splitlines():
        when, _, entries = line.partition(": ")
        state, _, version = when.partition(" ")
        for entry in entries.split("; "):
            names, _, instead = entry.partition(" > ")
            found |= dict.fromkeys(names.split(), (f"{state} in Python {version}", instead))
    return found


DEPRECATED: Final = _read(_TABLE)
"""By full name: what became of it, and what to use instead."""
