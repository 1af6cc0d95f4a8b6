"""Files of the report, written so that an error names the file."""


def write(path, content):
    """Text or bytes. The system names the file if it cannot be opened, and not if the disk fills while it is written."""
    try:
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
