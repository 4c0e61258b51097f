# bytes and bytearray: items, slices, changes, codecs.
def main():
    data = b"ab\x00\xff'"
    items = data[0], data[1:3], list(data[-2:]), data.hex()
    buffer = bytearray(b"abc")
    buffer[1] = 90
    buffer += b"!"
    del buffer[0]
    back = bytes(buffer).decode("ascii"), "é".encode("latin-1"), bytes(3), bytes([1, 2])
    try:
        b"\xff".decode("utf-8")
    except UnicodeDecodeError as error:
        reason = error.reason
    return items, buffer, back, reason
