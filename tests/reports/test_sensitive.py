"""What looks private is found, and what only looks a little like it is not."""

from __future__ import annotations

import pytest

from minrepro.reports.sensitive import finds_in

PRIVATE = [
    ("-----BEGIN OPENSSH PRIVATE KEY-----", "private key"),
    ("key: AKIA" + "IOSFODNN7QWERTYU", "access token"),
    ("ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "access token"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.dozjgNryP4J3jVmN", "web token"),
    ("Authorization: Bearer 8f14e45fceea167a5a36dedd4bea2543", "bearer token"),
    ("postgres://ann:hunter2@db.intern/shop", "password in an address"),
    ('{"password": "Tr0ub4dor&3"}', "password or key"),
    ("api_key = 9aK2mQ7xVb41ZpLr", "password or key"),
    ("mail ann.miller@shop-online.de now", "e-mail address"),
    ("card 4539 1488 0343 6467.", "card number"),
    ("4539148803436467", "card number"),
    ("IBAN DE89 3704 0044 0532 0130 00", "bank account"),
    ('"tel": "+4915123456789"', "phone number"),
    ("call +49 151 2345 6789", "phone number"),
    ("(212) 736-5000", "phone number"),
    ("ssn 219-09-9998", "social security number"),
]
HARMLESS = [
    "ann@example.com",
    "user@localhost",
    "git@github.com:ann/shop.git",
    "icon@2x.png",
    "@property",
    "a@b",
    "x = a @ b.c",
    "token = tokenizer.next_token(stream)",
    "password = ''",
    'password: "changeme"',
    "secret = os.environ['SECRET']",
    "PASSWORD=$DB_PASSWORD",
    "api_key = <your key>",
    "token: string;",
    "token_count = 12345678",
    "password = getPassword();",
    "4111 1111 1111 1111",
    "4539148803436468",
    "1234567890123456",
    "x = 3.4539148803436467",
    "0x4539148803436467",
    "f(a + 49151234, 5678)",
    "2024-01-15",
    "12:30:45.123456789",
    "x+4915123456789",
    "555-0123",
    "(212) 555-0123",
    "ISBN 978-3-16-148410-0",
    "127.0.0.1:8080",
    "1.2.3-4567-8901",
    "commit 8f14e45fceea167a5a36dedd4bea2543",
    "UUID 550e8400-e29b-41d4-a716-446655440000",
    "https://example.com/a:b@c",
    "DE89370400440532013001",
    "[100-200-3000]",
]


@pytest.mark.parametrize(("text", "kind"), PRIVATE)
def test_what_is_private_is_found(text: str, kind: str) -> None:
    assert [find.kind for find in finds_in({"result": text})] == [kind]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_harmless_is_left_alone(text: str) -> None:
    assert finds_in({"result": text}) == []


def test_a_find_is_told_by_its_line_and_its_beginning_only() -> None:
    (find,) = finds_in({"shop.conf": "[mail]\n\nto = ann.miller@shop-online.de\n"})
    assert str(find) == "shop.conf, line 3: e-mail address ann.…"


def test_each_place_is_told_once_and_in_order() -> None:
    finds = finds_in({"a": "x@shop.de\npassword: 'aB3$efgh@i.de'\n", "b": "y@shop.de"})
    assert [(find.where, find.line) for find in finds] == [("a", 1), ("a", 2), ("b", 1)]
