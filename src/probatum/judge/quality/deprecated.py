"""What the standard library has deprecated or removed, by the version of Python that says so, and what to use instead.

From the "Deprecated" and "Removed" sections of "What's New in Python" 3.0 to 3.14.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_TABLE: Final = """
removed 3.0: string.maketrans > str.maketrans; os.getcwdu > os.getcwd; os.popen2 > subprocess
removed 3.8: platform.linux_distribution > the package distro
removed 3.8: platform.dist > the package distro; cgi.escape > html.escape
removed 3.8: time.clock > time.perf_counter
removed 3.9: fractions.gcd > math.gcd; base64.encodestring > base64.encodebytes
removed 3.9: base64.decodestring > base64.decodebytes
removed 3.9: sys.setcheckinterval > sys.setswitchinterval; dummy_threading > threading
removed 3.10: collections.Mapping > collections.abc.Mapping; collections.MutableMapping > collections.abc.MutableMapping
removed 3.10: collections.Iterable > collections.abc.Iterable; collections.Sequence > collections.abc.Sequence
removed 3.10: collections.Callable > collections.abc.Callable; collections.Hashable > collections.abc.Hashable
removed 3.10: collections.Iterator > collections.abc.Iterator; collections.Set > collections.abc.Set
removed 3.10: collections.MutableSet > collections.abc.MutableSet; parser > ast; formatter > textwrap
removed 3.11: asyncio.coroutine > async def; inspect.getargspec > inspect.signature; binhex > base64
removed 3.11: inspect.formatargspec > inspect.signature; gettext.lgettext > gettext.gettext
removed 3.12: asynchat > asyncio; asyncore > asyncio; imp > importlib; distutils > setuptools or packaging
removed 3.12: smtpd > the package aiosmtpd; pkgutil.ImpImporter > importlib; locale.format > locale.format_string
removed 3.12: configparser.SafeConfigParser > configparser.ConfigParser; sqlite3.OptimizedUnicode > str
removed 3.12: ssl.wrap_socket > ssl.SSLContext.wrap_socket; ssl.match_hostname > ssl.SSLContext.check_hostname
removed 3.12: importlib.find_loader > importlib.util.find_spec
removed 3.13: aifc > a package for audio; audioop > a package for audio; cgi > urllib.parse or a web framework
removed 3.13: cgitb > traceback; chunk > a package for IFF; crypt > hashlib or a package for passwords
removed 3.13: imghdr > a package for images; mailcap > mimetypes; msilib > a package for installers
removed 3.13: nis > a package for NIS; nntplib > a package for NNTP; ossaudiodev > a package for audio
removed 3.13: pipes > subprocess; sndhdr > a package for audio; spwd > a package for PAM; sunau > a package for audio
removed 3.13: telnetlib > a package for Telnet; uu > base64; xdrlib > struct; lib2to3 > ast or libcst
removed 3.13: locale.resetlocale > locale.setlocale; unittest.makeSuite > unittest.TestLoader
removed 3.13: unittest.findTestCases > unittest.TestLoader
removed 3.14: ast.Num > ast.Constant; ast.Str > ast.Constant; ast.Bytes > ast.Constant; ast.NameConstant > ast.Constant
removed 3.14: pkgutil.find_loader > importlib.util.find_spec; pkgutil.get_loader > importlib.util.find_spec
deprecated 3.3: logging.warn > logging.warning
deprecated 3.10: threading.currentThread > threading.current_thread; threading.activeCount > threading.active_count
deprecated 3.11: locale.getdefaultlocale > locale.getlocale
deprecated 3.12: datetime.datetime.utcnow > datetime.now(timezone.utc)
deprecated 3.12: datetime.datetime.utcfromtimestamp > datetime.fromtimestamp(..., timezone.utc)
deprecated 3.12: asyncio.get_event_loop > asyncio.run or asyncio.get_running_loop
deprecated 3.14: asyncio.get_event_loop_policy > asyncio.run with loop_factory; codecs.open > open
deprecated 3.14: asyncio.set_event_loop_policy > asyncio.run with loop_factory
deprecated 3.14: asyncio.iscoroutinefunction > inspect.iscoroutinefunction
"""
_METHODS: Final = """
removed 3.0: has_key > the operator in; iteritems > items; itervalues > values; iterkeys > keys
removed 3.2: assertItemsEqual > assertCountEqual
removed 3.9: isAlive > is_alive
removed 3.12: assertEquals > assertEqual; assertNotEquals > assertNotEqual; assert_ > assertTrue
removed 3.12: failUnless > assertTrue
removed 3.12: assertAlmostEquals > assertAlmostEqual; assertRegexpMatches > assertRegex; failIf > assertFalse
removed 3.12: assertRaisesRegexp > assertRaisesRegex; assertNotRegexpMatches > assertNotRegex
removed 3.12: failUnlessEqual > assertEqual; assertNotAlmostEquals > assertNotAlmostEqual
"""


def _read(table: str) -> Mapping[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for line in table.strip().splitlines():
        when, _, entries = line.partition(": ")
        state, _, version = when.partition(" ")
        for entry in entries.split("; "):
            name, _, instead = entry.partition(" > ")
            found[name] = f"{state} in Python {version}", instead
    return found


DEPRECATED: Final = _read(_TABLE)
"""By full name: what became of it, and what to use instead."""
DEPRECATED_METHODS: Final = _read(_METHODS)
"""By the name of a method, whose object is not known; names that nothing else uses."""
