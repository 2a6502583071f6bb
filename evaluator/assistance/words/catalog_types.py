"""The types that refer to resources and classes.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "Resource": """
        Resource
        Resource['type']
        Resource['type', 'title', …]

        A reference to a resource: `Resource['file', '/a']` is another way to write `File['/a']`, for when the type
        is known only while the program runs. References are types: `File['/a'] <= File`.

        = Type[Resource] | File['/a'], Service['web'] | Class['a'], 'File[/a]'

        under: CatalogEntry

        dialects: a type name that nobody knows, such as `Foo['x']`, is a resource type. In the released Puppet it is
        an error.

        > Resource['file', '/etc/motd']
        File['/etc/motd']

        > File['/etc/motd'] =~ Type[File]
        true

        > notify { 'a': message => 'hello' }
        > Notify['a']['message']
        'hello'
    """,
    "Class": """
        Class
        Class['name', …]

        A reference to a class, for relationships and for asking. It declares nothing: that is what `include` and
        `class { … }` do.

        = Type[Class] | Class['ntp'] | File['/a'], 'ntp'

        under: CatalogEntry

        > class ntp($servers = ['a']) { }
        > include(ntp)
        > [defined(Class['ntp']), $ntp::servers]
        [true, ['a']]

        > class base { }
        > class web { notify { 'w': } }
        > include base, web
        > Class['base'] -> Class['web']
        [Class[web]]
    """,
    "CatalogEntry": """
        CatalogEntry

        What can be in a catalog: every reference to a resource and every reference to a class is such a type.

        = Type[CatalogEntry] | File['/a'], Class['ntp'], Resource | Integer, 'File[/a]'

        under: Any

        > [File['/a'] <= CatalogEntry, Class['ntp'] <= CatalogEntry, Integer <= CatalogEntry]
        [true, true, false]

        > File['/a'] =~ Type[CatalogEntry]
        true
    """,
}
