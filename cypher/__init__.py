"""Query files of graphmem: data only, loaded by `graphmem.store.catalog`.

One query a file; its path without `.cypher` is its name (`ingest/save_episodes`). Each opens with a header:

    // does:    One sentence.
    // mode:    read | write | schema
    // scope:   owner | store | none <reason>      (what every match is bound to)
    // param:   owner_key   string      what it is
    // returns: id   string
    CYPHER 25
    MATCH …

Rules checked at load, with file and line: every `$name` of the body is declared and every declaration is used
(strings and comments skipped); `scope: owner` needs `$owner_key` or `$owner_keys` or rows that carry one,
`scope: store` needs `$store_id`, `scope: none` needs a reason; nothing is formatted into a query.
"""
