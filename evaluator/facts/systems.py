"""Facts of current systems, as facter reports them for a small virtual machine.

They are structured, and have the legacy names as well. A row of the table has what distinguishes a system from others;
everything else follows from it and from the name of the node.
"""

from __future__ import annotations

from typing import Any

from evaluator.facts.forms import make_legacy_facts
from lexer_parser.record import Record

GIBIBYTE = 1024**3


class System(Record):
    """A row of the table: the parts of the facts about the system and its kernel.

    Attributes:
        family: The family of systems, as in `$facts['os']['family']`.
        name: The name, as in `$facts['os']['name']`.
        release: The full release, as in `$facts['os']['release']`.
        kernel_release: The version of the kernel.
        codename: The code name of the distribution; "" for none.
        description: The description of the distribution; "" for its name and release.
        kernel: The name of the kernel.
        hardware: The architecture of the machine as the system calls it.
        interface: The name of the network interface.
        root: The group of root.
        selinux: True if SELinux is enforced.
    """

    family: str
    name: str
    release: str
    kernel_release: str
    codename: str = ""
    description: str = ""
    kernel: str = "Linux"
    hardware: str = "x86_64"
    interface: str = "eth0"
    root: str = "root"
    selinux: bool = False


def _make_debian(release: str, codename: str, kernel_release: str) -> System:
    return System(
        *("Debian", "Debian", release),
        codename=codename,
        description=f"Debian GNU/Linux {release} ({codename})",
        kernel_release=kernel_release,
    )


def _make_ubuntu(release: str, codename: str, description: str, kernel_release: str) -> System:
    return System(
        *("Debian", "Ubuntu", release),
        codename=codename,
        description=description,
        kernel_release=kernel_release,
    )


def _make_red_hat(name: str, release: str, codename: str) -> System:
    builds = {"8": "4.18.0-553.el8_10.x86_64", "9": "5.14.0-503.14.1.el9_5.x86_64"}
    return System(
        *("RedHat", name, release),
        codename=codename,
        description=f"{name} release {release} ({codename})",
        kernel_release=builds[release.partition(".")[0]],
        selinux=True,
    )


SYSTEMS: dict[str, System] = {
    "debian-11": _make_debian("11.11", "bullseye", "5.10.0-33-amd64"),
    "debian-12": _make_debian("12.8", "bookworm", "6.1.0-28-amd64"),
    "ubuntu-22.04": _make_ubuntu("22.04", "jammy", "Ubuntu 22.04.5 LTS", "5.15.0-126-generic"),
    "ubuntu-24.04": _make_ubuntu("24.04", "noble", "Ubuntu 24.04.1 LTS", "6.8.0-49-generic"),
    "redhat-8": _make_red_hat("RedHat", "8.10", "Ootpa"),
    "redhat-9": _make_red_hat("RedHat", "9.5", "Plow"),
    "rocky-8": _make_red_hat("Rocky", "8.10", "Green Obsidian"),
    "rocky-9": _make_red_hat("Rocky", "9.5", "Blue Onyx"),
    "almalinux-8": _make_red_hat("AlmaLinux", "8.10", "Cerulean Leopard"),
    "almalinux-9": _make_red_hat("AlmaLinux", "9.5", "Teal Serval"),
    "amazon-2023": System(
        *("RedHat", "Amazon", "2023"),
        description="Amazon Linux release 2023 (Amazon Linux)",
        kernel_release="6.1.115-126.197.amzn2023.x86_64",
        interface="ens5",
    ),
    "fedora-41": System(
        *("RedHat", "Fedora", "41"),
        description="Fedora release 41 (Forty One)",
        kernel_release="6.11.10-300.fc41.x86_64",
        selinux=True,
    ),
    "sles-15": System(
        *("Suse", "SLES", "15.6"),
        description="SUSE Linux Enterprise Server 15 SP6",
        kernel_release="6.4.0-150600.23.25-default",
    ),
    "opensuse-15": System(
        *("Suse", "OpenSuSE", "15.6"),
        description="openSUSE Leap 15.6",
        kernel_release="6.4.0-150600.23.25-default",
    ),
    "archlinux": System("Archlinux", "Archlinux", "rolling", kernel_release="6.12.1-arch1-1"),
    "freebsd-14": System(
        *("FreeBSD", "FreeBSD", "14.1-RELEASE"),
        kernel="FreeBSD",
        kernel_release="14.1-RELEASE",
        hardware="amd64",
        interface="vtnet0",
        root="wheel",
    ),
    "windows-2019": System(
        *("windows", "windows", "2019"),
        kernel="windows",
        kernel_release="10.0.17763",
        interface="Ethernet",
        root="Administrators",
    ),
    "windows-2022": System(
        *("windows", "windows", "2022"),
        kernel="windows",
        kernel_release="10.0.20348",
        interface="Ethernet",
        root="Administrators",
    ),
}


_WINDOWS = {"env_windows_installdir": r"C:\Program Files\Puppet Labs\Puppet", "rubyplatform": "x64-mingw32"}


def make_system_facts(system: System, node: str) -> dict[str, Any]:
    """Return the facts of a node that runs a system, with their legacy names."""
    facts = {
        "os": _make_os(system),
        **_make_kernel(system),
        "networking": _make_networking(system, node),
        **_make_machine(system),
        **(_WINDOWS if system.kernel == "windows" else {}),
        "facterversion": "4.10.0",
        "puppetversion": "8.10.0",
        "clientversion": "8.10.0",
        "clientcert": node,
    }
    return {**facts, **make_legacy_facts(facts)}


def _make_release(system: System) -> dict[str, str]:
    full = system.release
    if system.name == "Ubuntu":  # its major version has two parts
        return {"full": full, "major": full}
    major, _, minor = full.partition("-")[0].partition(".")
    return {"full": full, "major": major, **({"minor": minor} if minor else {})}


_SELINUX = {
    "config_mode": "enforcing",
    "config_policy": "targeted",
    "current_mode": "enforcing",
    "enabled": True,
    "enforced": True,
    "policy_version": "33",
}


def _make_os(system: System) -> dict[str, Any]:
    """Return the facts under `os`."""
    release = _make_release(system)
    other = "x64" if system.kernel == "windows" else system.hardware
    architecture = "amd64" if system.family == "Debian" else other
    facts: dict[str, Any] = {
        "architecture": architecture,
        "family": system.family,
        "hardware": system.hardware,
        "name": system.name,
        "release": release,
    }
    if system.kernel == "Linux":
        identity = {"RedHat": "RedHatEnterprise", "Archlinux": "Arch", "SLES": "SUSE"}
        facts["distro"] = {
            **({"codename": system.codename} if system.codename else {}),
            "description": system.description or f"{system.name} {system.release}",
            "id": identity.get(system.name, system.name),
            "release": release,
        }
        facts["selinux"] = dict(_SELINUX) if system.selinux else {"enabled": False}
    if system.kernel == "windows":
        facts["windows"] = {
            "edition_id": "ServerStandard",
            "installation_type": "Server",
            "product_name": f"Windows Server {system.release} Standard",
            "system32": r"C:\Windows\system32",
        }
    return facts


def _make_kernel(system: System) -> dict[str, Any]:
    version = system.kernel_release.partition("-")[0]
    major = version if system.kernel == "windows" else ".".join(version.split(".")[:2])
    return {
        "kernel": system.kernel,
        "kernelmajversion": major,
        "kernelrelease": system.kernel_release,
        "kernelversion": version,
    }


def _make_networking(system: System, node: str) -> dict[str, Any]:
    """Return the facts of the network, with addresses that are reserved for documentation."""
    hostname, _, domain = node.partition(".")
    address = {
        "ip": "192.0.2.10",
        "ip6": "2001:db8::10",
        "mac": "02:00:00:00:00:10",
        "mtu": 1500,
        "netmask": "255.255.255.0",
        "netmask6": "ffff:ffff:ffff:ffff::",
        "network": "192.0.2.0",
        "network6": "2001:db8::",
    }
    bindings = {
        "bindings": [
            {"address": address["ip"], "netmask": address["netmask"], "network": address["network"]}
        ],
        "bindings6": [
            {"address": address["ip6"], "netmask": address["netmask6"], "network": address["network6"]}
        ],
    }
    return {
        **({"domain": domain} if domain else {}),
        "fqdn": node,
        "hostname": hostname,
        "interfaces": {system.interface: {**bindings, **address}},
        **address,
        "primary": system.interface,
        "scope6": "global",
    }


def _make_machine(system: System) -> dict[str, Any]:
    is_windows = system.kernel == "windows"
    return {
        "dmi": {
            "manufacturer": "QEMU",
            "product": {
                "name": "Standard PC (Q35 + ICH9, 2009)",
                "uuid": "00000000-0000-4000-8000-000000000010",
            },
        },
        "fips_enabled": False,
        "identity": {
            "user": "Administrator" if is_windows else "root",
            "privileged": True,
            **({} if is_windows else {"group": system.root, "gid": 0, "uid": 0}),
        },
        "is_virtual": True,
        "memory": {
            "system": _make_memory(4 * GIBIBYTE, 3 * GIBIBYTE),
            **({} if is_windows else {"swap": _make_memory(2 * GIBIBYTE, 2 * GIBIBYTE)}),
        },
        "path": r"C:\Windows\system32;C:\Windows" if is_windows else "/usr/sbin:/usr/bin:/sbin:/bin",
        "processors": {
            "cores": 2,
            "count": 2,
            "isa": {"FreeBSD": "amd64", "windows": "x64"}.get(system.kernel, system.hardware),
            "models": ["Intel(R) Xeon(R) Processor"] * 2,
            "physicalcount": 1,
            "threads": 1,
        },
        "ruby": {
            "platform": "x64-mingw32" if is_windows else f"x86_64-{system.kernel.lower()}",
            "version": "3.2.5",
        },
        "system_uptime": {"days": 1, "hours": 24, "seconds": 86400, "uptime": "1 day"},
        "timezone": "UTC",
        "virtual": "kvm",
    }


def _make_memory(total: int, available: int) -> dict[str, Any]:
    """Return the facts of a memory of so many bytes."""
    used = total - available
    return {
        "available": f"{available / GIBIBYTE:.2f} GiB",
        "available_bytes": available,
        "capacity": f"{100 * used / total:.2f}%",
        "total": f"{total / GIBIBYTE:.2f} GiB",
        "total_bytes": total,
        "used": f"{used / GIBIBYTE:.2f} GiB" if used else "0 bytes",
        "used_bytes": used,
    }
