"""The common parts of examples that consist of several files.

Such an example is the text of all its files, each below a line with its path: `# data/common.yaml`. They are in the
folder of an environment; the lines below `# manifests/site.pp` are the program.
"""

SITE = "# manifests/site.pp\n"
HIERARCHY = "# hiera.yaml\nversion: 5\nhierarchy:\n"
LEVEL = HIERARCHY + "  - name: common\n"  # a hierarchy of one level, whose source of data follows
COMMON = LEVEL + "    path: common.yaml\n"  # a complete hierarchy
DATA = "# data/common.yaml\n"
DATA_A = DATA + "a: 1\n"  # data with one key
LOOKUP_A = SITE + "$x = lookup('a')"  # a program that looks up this key
MODULE_WEB = (  # a module with data
    "# modules/web/hiera.yaml\n"
    "version: 5\n"
    "hierarchy:\n"
    "  - name: common\n"
    "    path: common.yaml\n"
    "# modules/web/data/common.yaml\n"
    "web::port: 80\n"
)
LOOKUP_WEB_PORT = SITE + "$x = lookup('web::port')"  # a program that looks up the key of the module
