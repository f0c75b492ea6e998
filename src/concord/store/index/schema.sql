CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    stamp TEXT NOT NULL
);
CREATE TABLE blobs (
    run INTEGER NOT NULL,
    name TEXT NOT NULL,
    start INTEGER NOT NULL,
    stamp TEXT NOT NULL,
    data BLOB NOT NULL,
    sum INTEGER NOT NULL,
    UNIQUE (run, name, start)
);
CREATE TABLE words (
    run INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    token TEXT NOT NULL,
    rows BLOB NOT NULL,
    PRIMARY KEY (run, chunk, token)
) WITHOUT ROWID;
