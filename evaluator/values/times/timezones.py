"""Time zones by name, as Ruby's dates know them."""

from __future__ import annotations

import re

from evaluator.issues import Failure

# fmt: off
# minutes east of Greenwich
ZONES = {
    "utc": 0, "ut": 0, "gmt": 0, "wet": 0, "wt": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
    "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "at": -120, "brst": -120, "ndt": -90, "art": -180,
    "adt": -180, "brt": -180, "clst": -180, "nst": -150, "ast": -240, "clt": -240, "akdt": -480, "ydt": -480,
    "akst": -540, "hadt": -540, "hdt": -540, "yst": -540, "ahst": -600, "cat": 120, "hast": -600,
    "hst": -600, "nt": -660, "idlw": -720, "bst": 60, "cet": 60, "fwt": 60, "met": 60, "mewt": 60,
    "mez": 60, "swt": 60, "wat": 60, "west": 60, "cest": 120, "eet": 120, "fst": 120, "mest": 120,
    "mesz": 120, "sast": 120, "sst": -660, "bt": 180, "eat": 180, "eest": 180, "msk": 180, "msd": 240,
    "ist": 330, "wast": 120, "cct": 390, "sgt": 480, "wadt": 480, "jst": 540, "kst": 540, "east": -360,
    "gst": 600, "eadt": 660, "idle": 720, "nzst": 720, "nzt": 720, "nzdt": 780, "wib": 420, "wit": 540,
    "wita": 480, "aest": 600, "aedt": 660, "acst": 570, "acdt": 630, "awst": 480, "hkt": 480, "pht": 480,
    "pkt": 300, "npt": 345, "irst": 210, "cot": -300, "pet": -300, "vet": -240, "uyt": -180, "gft": -180,
    "fkt": -240, "egt": -60, "wgt": -180, "azt": 240, "get": 240, "uzt": 300, "tjt": 300, "kgt": 360,
    "almt": 360, "mmt": 390, "ict": 420, "chst": 600, "chut": 600, "pont": 660, "sbt": 660, "nct": 660,
    "vut": 660, "fjt": 720, "tot": 780, "nut": -660, "tkt": 780, "tvt": 720, "wft": 720, "myt": 480,
    "aft": 270,
    "eastern": -300, "central": -360, "mountain": -420, "pacific": -480,
    **{letter: 60 * hours for hours, letter in enumerate("abcdefghiklm", 1)},
    **{letter: -60 * hours for hours, letter in enumerate("nopqrstuvwxy", 1)},
    "z": 0,
}
# fmt: on


def zone_offset(zone: str) -> int | None:
    """The seconds east of Greenwich of a zone such as `+02:00`, `GMT+2`, `PST`, `Eastern Standard Time`."""
    name = " ".join(zone.lower().split())
    shift = 0
    for ending, seconds in ((" standard time", 0), (" daylight time", 3600), (" dst", 3600)):
        if name.endswith(ending):
            name, shift = name.removesuffix(ending), seconds
    if name in ZONES:
        return ZONES[name] * 60 + shift
    match = re.fullmatch(r"(?:gmt|utc?)?([-+])([0-9]+)(?:([.,])([0-9]+)|:([0-9]+)(?::([0-9]+))?)?", name)
    if match is None:
        return None
    sign, hours, point, fraction, minutes, seconds_text = match.groups()
    if point:
        total: int = int(hours) * 3600 + int(fraction) * 3600 // 10 ** len(fraction)
    elif minutes is not None or len(hours) <= 2:
        total = int(hours) * 3600 + int(minutes or 0) * 60 + int(seconds_text or 0)
    else:
        hours = "0" + hours if len(hours) % 2 else hours
        total = int(hours[:2]) * 3600 + int(hours[2:4]) * 60 + int(hours[4:6] or 0)
    return -total if sign == "-" else total


def explicit_offset(timezone: str) -> int:
    """The offset of a zone given as an argument. Raises Failure for one that is unknown."""
    if timezone == "current":
        import time

        return time.localtime().tm_gmtoff
    offset = zone_offset(timezone)
    if offset is None:
        raise Failure("ILLEGAL_TIMEZONE", name=timezone)
    return offset


def displayed_offset(timezone: str) -> int:
    """The offset of a zone to show a time in: less than a day, in whole minutes of an hour. Raises Failure."""
    offset = explicit_offset(timezone)
    if re.fullmatch(r"[-+]\d+:?[6-9]\d", timezone):
        raise Failure("ILLEGAL_UTC_OFFSET", name=timezone)
    if abs(offset) >= 86400:
        raise Failure("TIME_OUT_OF_RANGE", part="utc_offset")
    return offset
