"""What import_onnx.py and export_onnx.py share: how failures are reported and files written.

Exit codes are those of `bridgecast`: 64 usage, 65 bad content, 66 a missing input, 69 missing packages, 74 what
cannot be read or written.
"""
import argparse
import contextlib
import errno
import os
import stat
import sys
import warnings

NO_MODEL = "is no whole .bcm model, make or copy it again"


class Failure(Exception):
    """A failure with its exit code, reported in one line."""

    def __init__(self, code, file, what):
        super().__init__(f"{file or repr(file)}: {what}")
        self.code = code


class Parser(argparse.ArgumentParser):
    """Reports wrong usage in one line too."""

    def error(self, message):
        raise Failure(64, self.prog, f"{message}; see --help")


def run(main):
    """Runs a program and returns its exit code."""
    # numpy's would be lines of their own, about numbers that are refused in the end.
    warnings.simplefilter("ignore")
    try:
        main()
    except Failure as failure:
        # The texts of onnx have lines of their own.
        print(" ".join(str(failure).split()), file=sys.stderr)
        return failure.code
    return 0


@contextlib.contextmanager
def packages():
    """Says how to get the packages whose import fails inside."""
    try:
        yield
    except ImportError as error:
        program = os.path.basename(sys.argv[0])
        print(f"{program}: onnx and numpy are needed ({error}): pip install onnx numpy, or run this with "
              ".build/python/bin/python, which tools/onnx/check_onnx makes", file=sys.stderr)
        sys.exit(69)


@contextlib.contextmanager
def about(path, wrong):
    """Reports failures inside as those of this input."""
    try:
        yield
    except Failure:
        raise
    except OSError as error:
        raise unread(error.filename or path, error) from error
    except Exception as error:  # the content of a file can fail anywhere in numpy, protobuf and onnx
        text = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise Failure(65, path, f"{wrong}: {text}") from error


def unread(path, error):
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return Failure(66, path, "there is no such file")
    if error.errno == errno.EISDIR:
        return Failure(74, path, "is a folder; name a file in it")
    return Failure(74, path, f"cannot be read: {error.strerror or error}")


def write(path, data):
    """Writes a file whole or not at all; what is no file, such as a device or a pipe, is written to."""
    if not path:
        raise Failure(64, path, "names no file")
    if os.path.isdir(path) or not os.path.basename(path):
        raise Failure(74, path, "is a folder; name a file in it")
    try:
        stream = opened_stream(path)
        if stream is None:
            replace(os.path.realpath(path), data)
        else:
            with os.fdopen(stream, "wb") as file:
                file.write(data)
    except OSError as error:
        reason = error.strerror or error
        if not os.path.exists(os.path.dirname(os.path.realpath(path))):
            reason = "there is no such folder; make it first"
        raise Failure(74, path, f"cannot be written: {reason}") from error


def opened_stream(path):
    """A descriptor to write to; none for a file, which is replaced."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    # /dev/stdout may be a file, of which others write the rest.
    for descriptor in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), status):
                return os.dup(descriptor)
    return None if stat.S_ISREG(status.st_mode) else os.open(path, os.O_WRONLY)


def replace(path, data):
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    folder, name = os.path.split(path)
    partial = os.path.join(folder, f".{name}.{os.getpid()}.part")
    file = open(partial, "xb")
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise
