"""Power loss, as far as user space can go: after each fsync the disk is taken to hold what was synced, no more.

A shim (LD_PRELOAD) copies each file of the store when it was synced. The disk after the n-th sync is then, for each
file, its last copy up to there: whatever was written to it later is dropped. A file that was deleted is gone when its
folder was synced, and not before. Each of these disks is opened, checked, and asked for every version that was acknowledged by then.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import NotFound
from stonebrowse.store.database import FILE_NAME
from tests.store.samples import open_store

if TYPE_CHECKING:
    from pathlib import Path

SHIM = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number;

static void copy(const char *from, const char *name) {
    char to[4096], data[65536];
    snprintf(to, sizeof to, "%s/%06d-%s", getenv("DISKS"), number, name);
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t got;
    while (in >= 0 && out >= 0 && (got = read(in, data, sizeof data)) > 0)
        if (write(out, data, got) != got) abort();
    if (in >= 0) close(in);
    if (out >= 0) close(out);
}

static void list(const char *folder) {
    char to[4096];
    snprintf(to, sizeof to, "%s/%06d-names", getenv("DISKS"), number);
    FILE *out = fopen(to, "w");
    DIR *open_folder = opendir(folder);
    struct dirent *entry;
    while (open_folder && out && (entry = readdir(open_folder))) fprintf(out, "%s\n", entry->d_name);
    if (out) fclose(out);
    if (open_folder) closedir(open_folder);
}

static int synced(int fd, const char *call) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
    char link[64], path[4096];
    int done = real(fd);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (done == 0 && length > 0) {
        path[length] = 0;
        const char *name = strrchr(path, '/') + 1;
        if (!strcmp(path, getenv("STORE"))) {
            number++;
            list(path);
            copy(getenv("SAID"), "said");
        }
        if (!strncmp(path, getenv("STORE"), strlen(getenv("STORE"))) && !strncmp(name, "store.sqlite3", 13)) {
            number++;
            copy(path, name);
            copy(getenv("SAID"), "said");
        }
    }
    return done;
}

int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }
"""

WRITER = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from tests.store.samples import add_version, document, edited, large_document, open_store

said = os.open(os.environ["SAID"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def say(version, raw):
    os.write(said, f"{version.version_id} {raw.hex()}\\n".encode())

for start in range(2):
    with open_store(Path(os.environ["STORE"])) as store:
        for name in range(4):
            file = store.file_at(f"{name}.md")
            raw = document(name, paragraphs=8)
            for number in range(6):
                raw = edited(raw, number + 10 * start)
                with store.writing() as writing:
                    file_id = writing.add_file(f"{name}.md") if file is None else file.file_id
                    version = add_version(writing, file_id, raw)
                file = store.file(file_id)
                say(version, raw)
        store.tidy()
        store.checkpoint()
        if start:
            store.forget(store.versions(store.files()[0].file_id)[5].version_id)
            store.prune(datetime.max.replace(tzinfo=UTC))
"""


@pytest.fixture
def shim(tmp_path: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler, and Linux")
    source, library = tmp_path / "shim.c", tmp_path / "shim.so"
    source.write_text(SHIM, encoding="utf-8")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def disks(place: Path) -> list[dict[str, bytes]]:
    """What the disk holds after each sync: the files, and what was said by then."""
    held: dict[str, bytes] = {}
    found: dict[int, dict[str, bytes]] = {}
    for path in sorted(place.iterdir()):
        number, name = path.name.split("-", 1)
        if name == "names":
            names = {*path.read_text(encoding="utf-8").splitlines(), "said"}
            held = {name: data for name, data in held.items() if name in names}
        else:
            held[name] = path.read_bytes()
        found[int(number)] = dict(held)
    return [found[number] for number in sorted(found)]


def test_what_was_acknowledged_survives_the_loss_of_all_that_was_not_synced(
    tmp_path: Path, shim: Path
) -> None:
    place, kept = tmp_path / "store", tmp_path / "disks"
    kept.mkdir()
    (tmp_path / "said").touch()
    environment = os.environ | {
        "LD_PRELOAD": str(shim),
        "STORE": str(place),
        "DISKS": str(kept),
        "SAID": str(tmp_path / "said"),
        "PYTHONPATH": os.pathsep.join(["", *sys.path]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    subprocess.run([sys.executable, "-c", WRITER], env=environment, check=True, timeout=120)
    found = disks(kept)
    assert len(found) > 48, "one sync a transaction, at the least"
    seen = 0
    for number, disk in enumerate(found):
        said = {
            line.split()[0]: bytes.fromhex(line.split()[1]) for line in disk["said"].decode().splitlines()
        }
        files = {name: data for name, data in disk.items() if name != "said"}
        if not said and FILE_NAME not in files:
            continue
        here = tmp_path / "after" / str(number)
        here.mkdir(parents=True)
        for name, data in files.items():
            (here / name).write_bytes(data)
        with open_store(here) as store:
            assert store.check() == []
            newest = {file.version_id for file in store.files()}
            for version_id, raw in said.items():
                assert store.version(version_id).bytes == len(raw)
                if version_id in newest:
                    assert store.raw(version_id) == raw
                else:
                    with suppress(NotFound):  # pruned or forgotten, at the end
                        assert store.raw(version_id) == raw
                        seen += 1
        shutil.rmtree(here)
    assert seen > 1000
