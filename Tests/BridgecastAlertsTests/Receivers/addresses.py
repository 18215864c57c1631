"""Prints addresses, and whether Python's ipaddress calls them global, as JSON.

Blocks that the registries of IANA got after Python's table was made are left out.
"""
import ipaddress
import json
import random

random.seed(6890)
newer = [ipaddress.ip_network(text) for text in ("192.88.99.0/24", "3fff::/20", "64:ff9b::/96", "2002::/16")]
edges = [
    "0.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "10.0.0.0", "11.0.0.0", "100.63.255.255", "100.64.0.0",
    "100.127.255.255", "100.128.0.0", "127.0.0.1", "128.0.0.0", "169.254.169.254", "172.15.255.255", "172.16.0.0",
    "172.31.255.255", "172.32.0.0", "192.0.2.1", "192.167.255.255", "192.168.1.1", "192.169.0.0", "198.17.255.255",
    "198.18.0.0", "198.20.0.0", "198.51.100.7", "203.0.113.9", "203.0.114.0", "240.0.0.1", "255.255.255.255",
    "::", "::1", "fe80::1", "fc00::1", "fdff::1", "2001:db8::1", "2001:4860:4860::8888", "2a00:1450::1",
    "2606:4700::1111", "febf::1", "::ffff:10.0.0.1", "::ffff:192.168.0.1",
]
addresses = [ipaddress.ip_address(text) for text in edges]
addresses += [ipaddress.IPv4Address(random.getrandbits(32)) for _ in range(4000)]
addresses += [ipaddress.IPv6Address((2 << 124) | random.getrandbits(124)) for _ in range(500)]
rows = []
for address in addresses:
    if any(address.version == block.version and address in block for block in newer):
        continue
    # Multicast is global for Python, but nothing that an alert is sent to.
    mapped = getattr(address, "ipv4_mapped", None)
    is_global = (mapped or address).is_global and not address.is_multicast
    rows.append({"text": str(address), "bytes": list(address.packed), "isGlobal": is_global})
print(json.dumps(rows))
