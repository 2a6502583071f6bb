"""The state that every program starts from, and the settings of an unconfigured Puppet."""

from __future__ import annotations

import os
from types import ModuleType
from typing import TYPE_CHECKING, Any

from evaluator.catalog.model import (
    BUILT_IN,
    MAIN_CLASS,
    MAIN_STAGE,
    OWN_SETTINGS,
    SETTINGS,
    Catalog,
    make_resource,
)
from evaluator.program.definitions import Scope
from evaluator.program.state import State
from evaluator.values import Value
from lexer_parser.memo import memoize

if TYPE_CHECKING:
    from evaluator.catalog.export import Json, WrittenCatalog
    from evaluator.running.runtime import Runtime


def enter_initial_state(runtime: Runtime) -> None:
    """Enter the first state of a runtime.

    It contains `Stage[main]`, `Class[Settings]`, `Class[main]` and the top scope.
    """
    catalog = ExportableCatalog(
        runtime.settings.node, runtime.settings.environment, runtime.settings.dialect.rich_data
    )
    top = Scope(runtime, "top", container=MAIN_CLASS)
    runtime.enter(State(top, catalog))
    for key in BUILT_IN:
        parameters: dict[str, Value] = {} if key == SETTINGS else {"name": "main"}
        catalog.resources[key] = make_resource(catalog.owner, *key, parameters, MAIN_STAGE, top)
    if runtime.settings.classification is not None:
        catalog.classes += runtime.settings.classification.classes
    catalog.classes.append("settings")
    catalog.evaluated.add(SETTINGS)
    top.variables.update(make_top_variables(runtime))
    settings = SettingsScope(runtime, *SETTINGS, parent=top, caller=top, container=SETTINGS)
    settings.variables = make_settings_variables(runtime)
    runtime.state.classes["settings"] = settings


class ExportableCatalog(Catalog):
    """The catalog of a program with its views: the public class that front ends receive."""

    def __reduce__(self) -> tuple[type[WrittenCatalog], tuple[object, ...]]:
        """Pickle the views of the catalog; they contain no Sensitive value."""
        plain, rich = self.to_json(rich_data=False), self.to_json(rich_data=True)
        content = plain, rich, self.rich_data, self.exports(), self.summary()
        return _load_views().WrittenCatalog, content

    def to_json(self, rich_data: bool | None = None, redact: bool = True) -> Json:
        """Return Puppet's catalog JSON as a dict; see `export.to_json`."""
        catalog_json: Json = _load_views().to_json(self, rich_data, redact)
        return catalog_json

    def exports(self, redact: bool = True) -> list[Json]:
        """Return the rows that other nodes can collect; see `export.to_store_rows`."""
        rows: list[Json] = _load_views().to_store_rows(self, redact)
        return rows

    def summary(self, redact: bool = True) -> list[str]:
        """Return one line per resource; see `export.summarize`."""
        lines: list[str] = _load_views().summarize(self, redact)
        return lines


def _load_views() -> ModuleType:
    from evaluator.catalog import export  # most cells of notebooks write no catalog

    return export


class SettingsScope(Scope):
    """The scope of the settings, inside the scope of the program's own class `settings`."""

    @property  # type: ignore[misc]  # in place of the field
    def parent(self) -> Scope:
        """The scope of the program's class, else the top scope."""
        scope: Scope = self.runtime.state.classes.get(OWN_SETTINGS, self.runtime.state.top)
        return scope

    @parent.setter
    def parent(self, _: Scope | None) -> None:
        """Ignore the parent that the constructor sets."""


def make_top_variables(runtime: Runtime) -> dict[str, Value]:
    """Return the variables of the top scope.

    They are the facts, the parameters of the classification, and Puppet's own. Specification: Types, Values,
    and Variables, "Initial Values of Variables".
    """
    classification = runtime.settings.classification
    return {
        **runtime.settings.facts,
        **(classification.parameters if classification is not None else {}),
        "facts": runtime.settings.facts,
        "trusted": runtime.settings.trusted,
        "server_facts": {"environment": runtime.settings.environment},
        "environment": runtime.settings.environment,
        "title": "main",
        "name": "main",
        "module_name": "",
        "caller_module_name": None,
    }


def make_settings_variables(runtime: Runtime) -> dict[str, Value]:
    """Return the variables of class `settings`: each setting, and all of them as `all_local`."""
    node, directory = runtime.settings.node, runtime.settings.directory
    variables = {
        **_make_default_settings(runtime.dialect.product.version, node),
        "certname": node,
        "node_name_value": node,
        "environment": runtime.settings.environment,
        "strict": runtime.settings.strict,
        "strict_variables": runtime.settings.strict_variables,
    }
    if runtime.settings.modulepath:
        variables["modulepath"] = os.pathsep.join(runtime.settings.modulepath)
    if runtime.settings.hiera_config is not None:
        variables["hiera_config"] = runtime.settings.hiera_config
    if directory is not None:
        variables["manifest"] = directory.manifest
        variables["modulepath"] = os.pathsep.join(directory.modulepath)
        variables["environmentpath"] = os.path.dirname(directory.folder)
    return {**variables, "all_local": variables, "title": "settings", "name": "settings", "module_name": ""}


@memoize(100)
def _make_default_settings(version: str, node: str) -> dict[str, Value]:
    """Return the settings of an unconfigured Puppet."""
    absent, others = ABSENT_SETTINGS.get(version, frozenset()), OTHER_SETTINGS.get(version, {})
    return {
        name: value.replace("{node}", node) if type(value) is str else value
        for name, value in {**DEFAULT_SETTINGS, **others}.items()
        if name not in absent
    }


# --- default settings: those of Puppet 8.10, and how other releases differ -------------------------------------


DEFAULT_SETTINGS: dict[str, Any] = {
    "confdir": "/etc/puppet",
    "codedir": "/etc/puppet/code",
    "vardir": "/var/cache/puppet",
    "logdir": "/var/log/puppet",
    "log_level": "notice",
    "disable_warnings": [],
    "skip_logging_catalog_request_destination": False,
    "merge_dependency_warnings": False,
    "strict": None,
    "disable_i18n": True,
    "priority": None,
    "trace": False,
    "puppet_trace": False,
    "profile": False,
    "versioned_environment_dirs": False,
    "static_catalogs": True,
    "settings_catalog": True,
    "strict_environment_mode": False,
    "autoflush": True,
    "syslogfacility": "daemon",
    "statedir": "/var/cache/puppet/state",
    "rundir": "/run/puppet",
    "genconfig": False,
    "genmanifest": False,
    "configprint": "",
    "color": "ansi",
    "mkusers": False,
    "manage_internal_file_permissions": True,
    "onetime": False,
    "path": "none",
    "libdir": "/var/cache/puppet/lib",
    "environment": None,
    "environmentpath": "/etc/puppet/code/environments",
    "report_configured_environmentpath": True,
    "use_last_environment": True,
    "always_retry_plugins": True,
    "diff_args": "-u",
    "diff": "diff",
    "show_diff": False,
    "daemonize": True,
    "maximum_uid": 4294967290,
    "route_file": "/etc/puppet/routes.yaml",
    "node_terminus": "plain",
    "node_cache_terminus": None,
    "data_binding_terminus": "hiera",
    "hiera_config": "/etc/puppet/hiera.yaml",
    "binder_config": None,
    "catalog_terminus": "compiler",
    "catalog_cache_terminus": None,
    "facts_terminus": "facter",
    "trusted_external_command": None,
    "default_file_terminus": "file_server",
    "http_proxy_host": "none",
    "http_proxy_port": 3128,
    "http_proxy_user": "none",
    "http_proxy_password": "none",
    "no_proxy": "localhost, 127.0.0.1",
    "http_keepalive_timeout": 4,
    "http_debug": False,
    "http_connect_timeout": 120,
    "http_read_timeout": 600,
    "http_user_agent": "Puppet/8.10.0 Ruby/3.1.2-p20 (x86_64-linux-gnu)",
    "filetimeout": 15,
    "environment_timeout": 0,
    "environment_data_provider": None,
    "prerun_command": "",
    "postrun_command": "",
    "freeze_main": False,
    "preview_outputdir": "/var/cache/puppet/preview",
    "location_trusted": False,
    "module_repository": "https://forgeapi.puppet.com",
    "module_working_dir": "/var/cache/puppet/puppet-module",
    "forge_authorization": None,
    "module_groups": None,
    "certname": None,
    "dns_alt_names": "",
    "csr_attributes": "/etc/puppet/csr_attributes.yaml",
    "certdir": "/var/lib/puppet/ssl/certs",
    "ssldir": "/var/lib/puppet/ssl",
    "ssl_lockfile": "/var/lib/puppet/ssl/ssl.lock",
    "publickeydir": "/var/lib/puppet/ssl/public_keys",
    "requestdir": "/var/lib/puppet/ssl/certificate_requests",
    "privatekeydir": "/var/lib/puppet/ssl/private_keys",
    "privatedir": "/var/lib/puppet/ssl/private",
    "passfile": "/var/lib/puppet/ssl/private/password",
    "hostcsr": "/var/lib/puppet/ssl/certificate_requests/{node}.pem",
    "hostcert": "/var/lib/puppet/ssl/certs/{node}.pem",
    "hostprivkey": "/var/lib/puppet/ssl/private_keys/{node}.pem",
    "hostpubkey": "/var/lib/puppet/ssl/public_keys/{node}.pem",
    "localcacert": "/var/lib/puppet/ssl/certs/ca.pem",
    "ca_fingerprint": None,
    "ssl_trust_store": None,
    "hostcrl": "/var/lib/puppet/ssl/crl.pem",
    "certificate_revocation": "chain",
    "ciphers": (
        "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
        "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
        "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:"
        "DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-CHACHA20-POLY1305:"
        "ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA:"
        "ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384:"
        "ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA:DHE-RSA-AES128-SHA256:"
        "DHE-RSA-AES256-SHA256:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA256:"
        "AES256-SHA256"
    ),
    "key_type": "rsa",
    "named_curve": "prime256v1",
    "digest_algorithm": "sha256",
    "supported_checksum_types": ["sha256", "sha384", "sha512", "sha224", "md5"],
    "logdest": None,
    "ca_name": "Puppet CA: {node}",
    "cadir": "/etc/puppet/puppetserver/ca",
    "cacert": "/etc/puppet/puppetserver/ca/ca_crt.pem",
    "cakey": "/etc/puppet/puppetserver/ca/ca_key.pem",
    "capub": "/etc/puppet/puppetserver/ca/ca_pub.pem",
    "cacrl": "/etc/puppet/puppetserver/ca/ca_crl.pem",
    "csrdir": "/etc/puppet/puppetserver/ca/requests",
    "signeddir": "/etc/puppet/puppetserver/ca/signed",
    "serial": "/etc/puppet/puppetserver/ca/serial",
    "autosign": "/etc/puppet/autosign.conf",
    "allow_duplicate_certs": False,
    "ca_ttl": 157680000,
    "ca_refresh_interval": 86400,
    "crl_refresh_interval": 86400,
    "hostcert_renewal_interval": 2592000,
    "keylength": 4096,
    "cert_inventory": "/etc/puppet/puppetserver/ca/inventory.txt",
    "config_file_name": "puppet.conf",
    "config": "/etc/puppet/puppet.conf",
    "pidfile": "/run/puppet/user.pid",
    "sourceaddress": None,
    "manifest": "/etc/puppet/code/environments/production/manifests",
    "modulepath": "/etc/puppet/code/environments/production/modules",
    "config_version": "",
    "user": "puppet",
    "group": "puppet",
    "default_manifest": "./manifests",
    "disable_per_environment_manifest": False,
    "code": "",
    "masterport": 8140,
    "serverport": 8140,
    "bucketdir": "/var/cache/puppet/bucket",
    "trusted_oid_mapping_file": "/etc/puppet/custom_trusted_oid_mapping.yaml",
    "basemodulepath": "/etc/puppet/code/modules:/usr/share/puppet/modules",
    "vendormoduledir": "/usr/share/puppet/vendor_modules",
    "ssl_client_header": "HTTP_X_CLIENT_DN",
    "ssl_client_verify_header": "HTTP_X_CLIENT_VERIFY",
    "yamldir": "/var/cache/puppet/yaml",
    "server_datadir": "/var/cache/puppet/server_data",
    "reports": "none",
    "exclude_unchanged_resources": True,
    "reportdir": "/var/cache/puppet/reports",
    "reporturl": "http://localhost:3000/reports/upload",
    "fileserverconfig": "/etc/puppet/fileserver.conf",
    "devicedir": "/var/cache/puppet/devices",
    "deviceconfig": "/etc/puppet/device.conf",
    "node_name_value": None,
    "node_name_fact": "",
    "statefile": "/var/cache/puppet/state/state.yaml",
    "statettl": 2764800,
    "transactionstorefile": "/var/cache/puppet/state/transactionstore.yaml",
    "clientyamldir": "/var/cache/puppet/client_yaml",
    "client_datadir": "/var/cache/puppet/client_data",
    "write_catalog_summary": False,
    "classfile": "/var/cache/puppet/state/classes.txt",
    "resourcefile": "/var/cache/puppet/state/resources.txt",
    "puppetdlog": "/var/log/puppet/puppetd.log",
    "deviceconfdir": "/etc/puppet/devices",
    "server": "puppet",
    "server_list": [],
    "use_srv_records": False,
    "srv_domain": None,
    "http_extra_headers": [],
    "ignoreschedules": False,
    "default_schedules": True,
    "noop": False,
    "runinterval": 1800,
    "runtimeout": 3600,
    "ca_server": "puppet",
    "ca_port": 8140,
    "preferred_serialization_format": "json",
    "allow_pson_serialization": False,
    "agent_catalog_run_lockfile": "/var/cache/puppet/state/agent_catalog_run.lock",
    "agent_disabled_lockfile": "/var/cache/puppet/state/agent_disabled.lock",
    "usecacheonfailure": True,
    "include_legacy_facts": False,
    "fact_name_length_soft_limit": 2560,
    "fact_value_length_soft_limit": 4096,
    "top_level_facts_soft_limit": 512,
    "number_of_facts_soft_limit": 10240,
    "payload_soft_limit": 16777216,
    "use_cached_catalog": False,
    "ignoremissingtypes": False,
    "splaylimit": 1800,
    "splay": False,
    "clientbucketdir": "/var/cache/puppet/clientbucket",
    "report_server": "puppet",
    "report_port": 8140,
    "report": True,
    "report_include_system_store": False,
    "resubmit_facts": False,
    "publicdir": "/var/cache/puppet/public",
    "lastrunfile": "/var/cache/puppet/public/last_run_summary.yaml",
    "lastrunreport": "/var/cache/puppet/state/last_run_report.yaml",
    "graph": False,
    "graphdir": "/var/cache/puppet/state/graphs",
    "waitforcert": 120,
    "maxwaitforcert": float("inf"),
    "waitforlock": 0,
    "maxwaitforlock": 60,
    "plugindest": "/var/cache/puppet/lib",
    "pluginsource": "puppet:///plugins",
    "pluginfactdest": "/var/cache/puppet/facts.d",
    "pluginfactsource": "puppet:///pluginfacts",
    "localedest": "/var/cache/puppet/locales",
    "localesource": "puppet:///locales",
    "pluginsync": True,
    "pluginsignore": ".svn CVS .git .hg",
    "ignore_plugin_errors": False,
    "factpath": "/var/cache/puppet/lib/facter:/var/cache/puppet/facts",
    "tags": "",
    "skip_tags": "",
    "evaltrace": False,
    "preprocess_deferred": False,
    "summarize": False,
    "external_nodes": "none",
    "ldapssl": False,
    "ldaptls": False,
    "ldapserver": "ldap",
    "ldapport": 389,
    "ldapstring": "(&(objectclass=puppetClient)(cn=%s))",
    "ldapclassattrs": "puppetclass",
    "ldapstackedattrs": "puppetvar",
    "ldapattrs": "all",
    "ldapparentattr": "parentnode",
    "ldapuser": "",
    "ldappassword": "",
    "ldapbase": "",
    "storeconfigs": False,
    "storeconfigs_backend": "puppetdb",
    "max_errors": 10,
    "max_warnings": 10,
    "max_deprecations": 10,
    "strict_variables": None,
    "tasks": False,
    "document_all": False,
    "rich_data": True,
}

# By the version of the product: the settings that it lacks, and those with other defaults.
ABSENT_SETTINGS: dict[str, frozenset[str]] = {
    "7.23": frozenset(
        (
            *("skip_logging_catalog_request_destination", "report_configured_environmentpath"),
            *("ca_refresh_interval", "hostcert_renewal_interval", "allow_pson_serialization"),
        )
    ),
    "9.0": frozenset(("configprint", "data_binding_terminus", "environment_data_provider", "pluginsync")),
}
OTHER_SETTINGS: dict[str, dict[str, Any]] = {
    "7.23": {
        "http_user_agent": "Puppet/7.23.0 Ruby/3.1.2-p20 (x86_64-linux-gnu)",
        "crl_refresh_interval": None,
        "reports": "store",
        "exclude_unchanged_resources": False,
        "include_legacy_facts": True,
        "number_of_facts_soft_limit": 2048,
        "preprocess_deferred": True,
    },
    "9.0": {
        "http_user_agent": "Puppet/9.0.0-rc1 Ruby/3.1.2-p20 (x86_64-linux-gnu)",
        "preprocess_deferred": True,
    },
}
