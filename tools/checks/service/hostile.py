"""Clients that nobody wants, each once around; soak.py keeps some of each going."""
import asyncio

from questions import get


async def connect(service):
    return await asyncio.wait_for(asyncio.open_connection(service.host, service.port, limit=4096), 20)


async def sends_a_byte_a_second(service, is_over):
    """Slowloris: a head that never ends."""
    _, writer = await connect(service)
    try:
        for byte in b"GET /api/v1/bridges HTTP/1.1\r\nHost: a\r\n" + b"X-Slow: y\r\n" * 50:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(1)
            if is_over() or writer.transport.is_closing():
                return
    finally:
        writer.transport.abort()


async def sends_half_a_body(service, is_over):
    _, writer = await connect(service)
    try:
        writer.write(b"POST /api/v1/routes/rank HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{")
        for _ in range(40):
            await asyncio.sleep(1)
            if is_over() or writer.transport.is_closing():
                return
    finally:
        writer.transport.abort()


async def waits(seconds, is_over):
    """Does nothing for some seconds, or until it is over."""
    for _ in range(seconds):
        await asyncio.sleep(1)
        if is_over():
            return


async def stops_reading(service, is_over):
    """Asks for a lot and takes none of it."""
    reader, writer = await connect(service)
    try:
        reader._transport.pause_reading()
        for _ in range(400):
            writer.write((get("/api/v1/geography?metres_per_pixel=1")[0] + "\r\n").encode())
        await waits(20, is_over)
    finally:
        writer.transport.abort()


async def listens_and_stops_reading(service, is_over):
    """A stream of events that nobody reads."""
    reader, writer = await connect(service)
    try:
        writer.write((get("/api/v1/events")[0] + "\r\n").encode())
        await reader.readuntil(b"\r\n\r\n")
        reader._transport.pause_reading()
        await waits(30, is_over)
    finally:
        writer.transport.abort()


async def listens(service, is_over):
    """A good listener, who leaves after a while."""
    reader, writer = await connect(service)
    try:
        writer.write((get("/api/v1/events")[0] + "\r\n").encode())
        for _ in range(20):
            await asyncio.wait_for(reader.readuntil(b"\n\n"), 60)
            if is_over():
                return
    finally:
        writer.close()


async def hangs_up(service, is_over):
    """Asks and is gone before the answer."""
    for _ in range(10):
        _, writer = await connect(service)
        writer.write((get("/api/v1/routes?from=Ballard&to=Downtown")[0] + "\r\n").encode())
        await asyncio.sleep(0.01)
        writer.transport.abort()


HOSTILE = [sends_a_byte_a_second, sends_half_a_body, stops_reading, listens_and_stops_reading, listens, hangs_up]
