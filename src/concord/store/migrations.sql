-- The steps that bring a workspace to the present schema, in their order. Append, never edit.
-- A heading that names a function of migrations.py stands for that function.
-- No comment may hold the sign that ends a statement.

-- step

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    signature TEXT NOT NULL,
    relation TEXT NOT NULL,
    settings TEXT NOT NULL,
    system TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    corpus TEXT NOT NULL,
    seed INTEGER NOT NULL,
    notes TEXT NOT NULL DEFAULT '[]',
    fresh INTEGER NOT NULL DEFAULT 0,
    started TEXT NOT NULL,
    finished TEXT,
    asked INTEGER NOT NULL DEFAULT 0,
    sent INTEGER NOT NULL DEFAULT 0,
    cached INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0
);
CREATE INDEX runs_by_signature ON runs (signature);

CREATE TABLE checks (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    repetition INTEGER NOT NULL,
    segment TEXT NOT NULL,
    domain TEXT NOT NULL,
    text TEXT NOT NULL,
    reference TEXT,
    cases INTEGER NOT NULL,
    error TEXT,
    PRIMARY KEY (run, position, repetition)
) WITHOUT ROWID;

CREATE TABLE cases (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    repetition INTEGER NOT NULL,
    number INTEGER NOT NULL,
    key BLOB NOT NULL,
    suspicion REAL NOT NULL,
    threshold REAL NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, position, repetition, number)
) WITHOUT ROWID;
CREATE INDEX cases_by_suspicion ON cases (run, suspicion DESC);
CREATE INDEX cases_by_key ON cases (key);

CREATE TABLE translations (
    key BLOB PRIMARY KEY,
    question BLOB NOT NULL,
    system TEXT NOT NULL,
    version TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    text TEXT NOT NULL,
    answer TEXT NOT NULL,
    note TEXT,
    created TEXT NOT NULL
);
CREATE INDEX translations_by_question ON translations (question);

CREATE TABLE epochs (
    system TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL
);

CREATE TABLE labels (
    id INTEGER PRIMARY KEY,
    case_key BLOB NOT NULL,
    annotator TEXT NOT NULL,
    verdict TEXT NOT NULL,
    details TEXT NOT NULL DEFAULT '{}',
    outputs TEXT NOT NULL,
    created TEXT NOT NULL
);
CREATE INDEX labels_by_case ON labels (case_key);

-- step

CREATE TABLE months (
    account TEXT NOT NULL,
    month TEXT NOT NULL,
    characters INTEGER NOT NULL,
    PRIMARY KEY (account, month)
) WITHOUT ROWID;

-- step

ALTER TABLE runs ADD COLUMN given TEXT NOT NULL DEFAULT '';

-- step

ALTER TABLE runs ADD COLUMN rejected TEXT NOT NULL DEFAULT '{}';
ALTER TABLE runs ADD COLUMN stages TEXT NOT NULL DEFAULT '{}';

-- step

CREATE TABLE learnt (
    run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    data BLOB NOT NULL
);

-- step

CREATE TABLE comparators (
    relation TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    data BLOB NOT NULL,
    area REAL NOT NULL,
    area_of_rule REAL NOT NULL,
    labels INTEGER NOT NULL,
    wrong INTEGER NOT NULL,
    created TEXT NOT NULL,
    PRIMARY KEY (relation, source, target)
);

-- step

CREATE TABLE label_history (
    id INTEGER PRIMARY KEY,
    saved INTEGER NOT NULL,
    case_key BLOB NOT NULL,
    annotator TEXT NOT NULL,
    outputs TEXT NOT NULL,
    verdict TEXT NOT NULL,
    details TEXT NOT NULL,
    created TEXT NOT NULL,
    undone TEXT
);
CREATE INDEX label_history_by_annotator ON label_history (annotator, saved);
CREATE INDEX label_history_by_case ON label_history (case_key);
INSERT INTO label_history (saved, case_key, annotator, outputs, verdict, details, created)
    SELECT id, case_key, annotator, outputs, verdict, details, created FROM labels ORDER BY id;

CREATE TABLE samples (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    seed INTEGER NOT NULL,
    flagged REAL NOT NULL,
    created TEXT NOT NULL
);
CREATE TABLE strata (
    sample INTEGER NOT NULL REFERENCES samples (id) ON DELETE CASCADE,
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    band INTEGER NOT NULL,
    population INTEGER NOT NULL,
    PRIMARY KEY (sample, run, band)
) WITHOUT ROWID;
CREATE TABLE sampled (
    sample INTEGER NOT NULL REFERENCES samples (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    band INTEGER NOT NULL,
    position INTEGER NOT NULL,
    repetition INTEGER NOT NULL,
    number INTEGER NOT NULL,
    key BLOB NOT NULL,
    outputs TEXT NOT NULL,
    PRIMARY KEY (sample, place)
) WITHOUT ROWID;

-- step

ALTER TABLE runs ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN changed TEXT NOT NULL DEFAULT '';

-- step: without_answers

-- step

ALTER TABLE comparators ADD COLUMN margin REAL NOT NULL DEFAULT 0

-- step: with_facts

-- step

ALTER TABLE learnt ADD COLUMN profile TEXT NOT NULL DEFAULT '{}'

-- step

ALTER TABLE checks ADD COLUMN untested TEXT NOT NULL DEFAULT ''
