"""Archives in memory, of texts or bytes by name."""

import io
import tarfile
import zipfile


def tar(files, mode="w"):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:
        for name, body in files.items():
            body = body.encode() if isinstance(body, str) else body
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    return packed.getvalue()


def zipped(files, how=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", how) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return packed.getvalue()
