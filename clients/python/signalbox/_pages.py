"""Lists."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Generic, Iterator, List, Optional, Set, TypeVar, Union

T = TypeVar("T")

_MAX_LIMIT = 100


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list with its total."""

    data: List[T]
    total: int
    offset: int
    limit: int
    #: True when the total of a large list is an estimate.
    total_is_estimate: bool = False

    @property
    def _is_last(self) -> bool:
        return not self.data or (not self.total_is_estimate and self.offset + len(self.data) >= self.total)


def page_of(reply: Dict[str, Any]) -> Page[Any]:
    """The page of a reply, which may say more than this release knows."""
    about = reply["pagination"]
    is_estimate = about.get("total_is_estimate", False)
    return Page(reply["data"], about["total"], about["offset"], about["limit"], is_estimate)


#: Yields what to load next, and each page; is sent what was loaded.
Steps = Generator[Union[Dict[str, int], Page[Any]], Optional[Page[Any]], None]


def steps_of(first: Page[Any]) -> Steps:
    """Goes through a list from its first page on: every page without the records of earlier ones."""
    page = first
    seen: Set[Any] = {_key(item) for item in first.data}
    yield first
    while not page._is_last:
        former = page
        page = yield from _page_after(former, first, seen)
        data = _unseen(page, former, seen)
        if not data and page.total_is_estimate and len(page.data) <= 1:
            return
        seen.update(_key(item) for item in data)
        if data:
            yield Page(data, page.total, page.offset, page.limit, page.total_is_estimate)


def next_step(steps: Steps, loaded: Optional[Page[Any]] = None) -> Union[Dict[str, int], Page[Any], None]:
    """The next step, None after the last one."""
    try:
        return steps.send(loaded)
    except StopIteration:
        return None


def _page_after(
    page: Page[Any], first: Page[Any], seen: Set[Any]
) -> Generator[Union[Dict[str, int], Page[Any]], Optional[Page[Any]], Page[Any]]:
    """
    The page that begins with the last known record. When another record is at its place, records before it were
    deleted and those behind it have moved to the front: the page before is read, and so on.
    """
    after = page.offset + len(page.data)
    limit = min(first.limit + 1, _MAX_LIMIT)
    # A page of one known record is as long as a reply may be: the next one begins behind it.
    is_single = len(page.data) == 1 and page.offset > first.offset
    offset = after if is_single else max(first.offset, after - 1)
    while True:
        found = yield {"offset": offset, "limit": limit}
        assert found is not None
        if is_single or offset <= first.offset or (found.data and _key(found.data[0]) in seen):
            return found
        offset = max(first.offset, offset - first.limit)


class PagedList(Generic[T]):
    """
    A list: iterating goes through all pages from the asked offset on. Every record that is in the list from the start
    to the end of the loop is returned once, whatever is added or deleted meanwhile. A record without an id may be
    returned again: one that changes, or that equals the one before it in a list that others are added to.
    """

    def __init__(self, load: Callable[[Dict[str, int]], Dict[str, Any]]) -> None:
        self._load = load

    def page(self, offset: Optional[int] = None) -> Page[T]:
        """One page, default the asked one."""
        return page_of(self._load({} if offset is None else {"offset": offset}))

    def pages(self) -> Iterator[Page[T]]:
        """Every page, one after the other, without the records of earlier ones."""
        steps = steps_of(self.page())
        step = next_step(steps)
        while step is not None:
            if isinstance(step, Page):
                yield step
                step = next_step(steps)
            else:
                step = next_step(steps, page_of(self._load(step)))

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data


def _id(item: Any) -> Any:
    if not isinstance(item, dict):
        return None
    found = item.get("id")
    # A record of a request names the session that it belongs to.
    return item.get("session_id") if found is None and "request_id" not in item else found


def _key(item: Any) -> Any:
    found = _id(item)
    return json.dumps(item, sort_keys=True) if found is None else found


def _overlap(page: Page[Any], former: Page[Any]) -> Optional[int]:
    """How many records at the start of a page are the last ones of the former page; None when the list has moved."""
    length = former.offset + len(former.data) - page.offset
    if not 0 <= length <= len(former.data):
        return None
    known = former.data[len(former.data) - length :]
    return length if [_key(item) for item in known] == [_key(item) for item in page.data[:length]] else None


def _unseen(page: Page[T], former: Page[T], seen: Set[Any]) -> List[T]:
    """Records behind the known ones at the start of a page; equal records without an id may be several."""
    start = _overlap(page, former)
    if start is None:
        start = next((at for at, item in enumerate(page.data) if _key(item) not in seen), len(page.data))
    return [item for item in page.data[start:] if _id(item) is None or _key(item) not in seen]
