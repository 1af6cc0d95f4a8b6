"""Files of the report, written so that an error names the file."""


def write(path, content):
    """Text or bytes. The system names a file that it cannot open, but no file when the disk fills."""
    try:
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
