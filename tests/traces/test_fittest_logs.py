from __future__ import annotations

import pytest

from minrepro.errors import InputError
from minrepro.traces import fittest_logs
from minrepro.traces.user_events import Entry, Event

XML = """<?xml version='1.0' ?>
<body>
  <E t="-120:13"><O ty="eu.fittest.actionscript.automation::RecordEvent">
      <fd n="I"><V v="0" ty="ID" /></fd>
      <fd n="targetID"><V v="&quot;Slider&quot;" ty="String" /></fd>
      <fd n="type"><V v="&quot;change&quot;" ty="String" /></fd>
      <fd n="args"><O ty="Array"><fd n="I"><V v="1" ty="ID" /></fd><fd n="elem"><V v="7" ty="int" /></fd></O></fd>
    </O><O ty="AppAbstractState">
      <fd n="total"><V v="&quot;$1.50&quot;" ty="String" /></fd>
      <fd n="cart"><O ty="Array"><fd n="elem"><V v="2" ty="int" /></fd></O></fd>
    </O></E>
</body>"""

RAW = """%<S -120:13 "E"
%<S "O:eu.fittest.actionscript.automation::RecordEvent"
%<P
%<{ I=0:ID }%>
%<{ targetID="Slider":String }%>
%<{ type="change":String }%>
%<{ args=> }%>
%>
%<S "O:Array"
%<P
%<{ I=1:ID }%>
%<{ elem=7:int }%>
%>
%>
%>
%<S "O:AppAbstractState"
%<P
%<{ total="$1.50":String }%>
%<{ cart=> }%>
%>
%<S "O:Array"
%<P
%<{ elem=2:int }%>
%>
%>
%>
%>
"""

EVENT = Event("changeSlider", (7,))
STATE = {"total": "$1.50", "cart": [2]}


def test_both_forms_say_the_same() -> None:
    for log in (fittest_logs.read_xml(XML, "a.xml"), fittest_logs.read_raw(RAW, "a.log")):
        (entry,) = log.entries
        assert (entry.event, entry.state) == (EVENT, STATE)
        assert entry.event is not None
        assert entry.event.extra == {"type": "change", "targetID": "Slider", "time": "-120:13"}


@pytest.mark.parametrize(
    "value", [0, -3, 1.5, True, None, "", 'a "quoted" & <marked> text', [], [1, [2, {"deep": [None]}]], {"a": {}}]
)
def test_what_is_written_is_read_back(value: object) -> None:
    entries = [Entry(Event("go", (value,)), {"value": value, "list": [value]}), Entry(Event("stop"), {})]
    for log in (
        fittest_logs.read_xml(fittest_logs.write_xml(entries), "x"),
        fittest_logs.read_raw(fittest_logs.write_raw(entries), "x"),
    ):
        assert [(entry.event, entry.state) for entry in log.entries] == [(e.event, e.state) for e in entries]


def test_a_state_may_be_nested_deeper_than_python_recurses() -> None:
    depth = 5000
    text = "<body><E><O ty='eu.fittest.actionscript.automation::RecordEvent'/><O ty='AppAbstractState'><fd n='x'>"
    text += "<O ty='Array'><fd n='elem'>" * depth + "<V v='1' ty='int'/>" + "</fd></O>" * depth + "</fd></O></E></body>"
    (entry,) = fittest_logs.read_xml(text, "deep").entries
    assert entry.state is not None
    value = entry.state["x"]
    for _ in range(depth):
        (value,) = value
    assert value == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [("<body><E></body>", "log:1:"), ("<body><E><O ty='x'/></E></body>", "log: entry 1: no recorded event")],
)
def test_broken_xml_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        fittest_logs.read_xml(text, "log")
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [('%<S 1 "E"\n', "log:1: the entry that starts here has no end"), ('%<S 1 "E"\nhello\n', "log:2: not")],
)
def test_a_broken_raw_log_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        fittest_logs.read_raw(text, "log")
    assert str(raised.value).startswith(message)
